import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test.each([
  '/connect/nonsense',
  '/connect/callback?state=x&code=y',
  '/networks/data-deletion/nonsense',
  '/reset-password?token=x',
  '/forgot-password',
  '/verify-email?token=x',
  '/confirm-email?token=x',
  '/sign-up',
  '/authorize?client_id=x',
])('%s applies no styles but its own', async (url) => {
  const path = url.startsWith('/connect/callback') ? `/api/v1${url}` : url;
  const { headers, body } = await service.server.inject({ url: path, headers: { accept: 'text/html' } });
  expect(headers['content-type']).toContain('text/html');
  const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? '';
  const source = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  const directives = String(headers['content-security-policy']).split(/;\s*/);
  expect(directives).toContain(`style-src ${source}`);
  expect(directives).toContain("default-src 'none'");
  expect(directives).not.toContain("style-src 'unsafe-inline'");
  expect(body).not.toMatch(/ style=/);
});
