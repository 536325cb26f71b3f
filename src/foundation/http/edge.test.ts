import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { buildServer } from '../../surfaces/server.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

/** The server of another process, with its own settings. */
async function serverWith(options: { environment?: Record<string, string>; publicUrl?: string }) {
  const { app, close } = await testApp({ database: service.database, ...options });
  const server = await buildServer(app);
  onTestFinished(async () => {
    await server.close();
    await close();
  });
  return server;
}

describe('the address of a caller', () => {
  /** The client address that limits and logs use. */
  async function addressOf(forwardedFor: string, trusted?: string): Promise<string> {
    const server = await serverWith({ environment: trusted ? { TRUST_PROXY: trusted } : {} });
    server.get('/address', ({ ip }) => ip);
    const headers = { 'x-forwarded-for': forwardedFor };
    return (await server.inject({ url: '/address', remoteAddress: '10.0.0.2', headers })).body;
  }

  test('cannot be made up to get around a limit', async () => {
    expect(await addressOf('203.0.113.1')).toBe('10.0.0.2');
    expect(await addressOf('203.0.113.1', '10.0.0.3,192.168.0.0/16')).toBe('10.0.0.2');
    // A trusted proxy appends the true address to what the caller sent.
    expect(await addressOf('203.0.113.1, 198.51.100.7', '10.0.0.0/8')).toBe('198.51.100.7');
  });

  test('is that of the caller behind trusted proxies, so that callers do not share their limits', async () => {
    expect(await addressOf('203.0.113.1', '10.0.0.2')).toBe('203.0.113.1');
    expect(await addressOf('203.0.113.1, 10.9.9.9', 'fd00::/8,10.0.0.0/8')).toBe('203.0.113.1');
  });
});

describe('browsers are asked to use https only', () => {
  const header = async (publicUrl: string) =>
    (await (await serverWith({ publicUrl })).inject('/')).headers['strict-transport-security'];

  test('if PUBLIC_URL is https, and for this host alone', async () => {
    expect(await header('https://crier.test')).toBe('max-age=31536000');
  });

  test('not if it is http', async () => {
    expect(await header('http://crier.test')).toBeUndefined();
  });
});

describe('nothing keeps answers with secrets', () => {
  test('no answer of the API may be stored: those with keys, tokens, posts, and errors', async () => {
    const ada = await service.aUser();
    const person = { email: 'grace@example.com', password: 'correct horse battery' };
    const asked = [
      { method: 'POST' as const, url: '/api/v1/auth/signup', payload: person },
      { method: 'POST' as const, url: '/api/v1/auth/signin', payload: person },
      { url: '/api/v1/platform-connections', headers: { 'x-service-key': ada.apiKey } },
      { url: '/api/v1/list-posts', headers: { 'x-service-key': ada.apiKey } },
      { url: '/api/v1/list-posts' },
      { url: '/api/v1/nowhere' },
      { url: '/metrics' },
      { url: '/readyz' },
    ];
    for (const request of asked) {
      const { headers } = await service.server.inject(request);
      expect([request.url, headers['cache-control']]).toEqual([request.url, 'no-store']);
    }
  });
});
