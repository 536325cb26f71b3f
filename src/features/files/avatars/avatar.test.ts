import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flatWebp } from '../../../../test/support/files/bombs.ts';
import { serveCanary, serveCounted } from '../../../../test/support/servers/egress.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { signedIn } from '../../../../test/support/service/media-service.ts';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { insertTestUser } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { type PlatformId, platforms } from '../../../platforms/index.ts';
import { requireApiKey } from '../../auth/access/api-key.ts';
import { connectSandboxAccount } from '../../connections/connect/sandbox.ts';
import { storeGrant } from '../../connections/connections.ts';
import { disconnect } from '../../connections/disconnect.ts';
import { avatarRoutes } from './avatar-routes.ts';
import { encodeAvatar } from './fetch-avatar.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64"/></svg>';
const day = 86_400;

describe('on the real networks', () => {
  const clock = testClock();
  let web: Awaited<ReturnType<typeof serveCounted>>;
  let canary: Awaited<ReturnType<typeof serveCounted>>;
  let ours: TestApp;
  let server: Server;
  let ada: { id: string; apiKey: string };
  /** The content of the web site by path. A number is a status. */
  const pages = new Map<string, Buffer | string | number>();
  const asked: string[] = [];

  function answer({ url = '', headers }: IncomingMessage, response: ServerResponse) {
    asked.push(url);
    expect(Object.keys(headers)).not.toContain('authorization');
    const page = pages.get(url) ?? 404;
    if (url.startsWith('/to/')) return response.writeHead(302, { location: String(page) }).end();
    return typeof page === 'number' ? response.writeHead(page).end() : response.end(page);
  }

  beforeAll(async () => {
    [web, canary] = [await serveCounted(answer), await serveCanary()];
    const addresses: Record<string, string[]> = {
      'inside.example': ['10.0.0.7'],
      'both.example': ['1.1.1.1', '127.0.0.1'],
    };
    ours = await testApp({
      clock,
      environment: { EGRESS_ALLOW: web.place },
      egress: { lookup: async (name) => addresses[name] ?? [] },
    });
    ada = await insertTestUser(ours.app, { email: 'ada@example.com', plan: 'pro' });
    server = await testServer(ours.app, (api, app) => {
      api.addHook('onRequest', requireApiKey(app));
      avatarRoutes(api, app);
    });
  });
  afterAll(async () => {
    await server.close();
    await ours.close();
    await web[Symbol.asyncDispose]();
    await canary[Symbol.asyncDispose]();
  });

  let accounts = 0;
  async function anAccount(avatarUrl: string | null, id = `new-${accounts}`): Promise<string> {
    accounts += 1;
    const account = { id, handle: 'ada', displayName: 'Ada', avatarUrl, profileUrl: null, traits: {} };
    const grant = { account, credentials: { accessToken: 'none' }, scopes: [], expiresAt: null };
    return (await storeGrant(ours.app, ada.id, 'mastodon', grant)).platformId;
  }
  function page(content: Buffer | string | number, path = `/${pages.size}`) {
    pages.set(path, content);
    return `${web.url}${path}`;
  }
  const picture = (background: string, format: 'png' | 'jpeg' | 'gif' | 'avif' = 'png') =>
    sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .withExif({ IFD0: { Copyright: 'where-i-live' } })
      .toFormat(format)
      .toBuffer();
  const get = (platformId: string, headers = {}) =>
    server.inject({
      url: `/api/v1/connections/${encodeURIComponent(platformId)}/avatar`,
      headers: { 'x-service-key': ada.apiKey, ...headers },
    });
  const refusalOf = async (platformId: string) => {
    const { statusCode, headers, json } = await get(platformId);
    return [statusCode, json().code, headers['cache-control']];
  };
  const unavailable = [404, 'AVATAR_UNAVAILABLE', 'no-store'];
  const colourOf = async (bytes: Buffer) => {
    const { dominant } = await sharp(bytes).stats();
    return Object.entries(dominant).sort(([, a], [, b]) => b - a)[0]![0];
  };

  test.each(['png', 'jpeg', 'gif', 'avif'] as const)('a %s becomes a small WebP without metadata', async (format) => {
    const answer = await get(await anAccount(page(await picture('#e01010', format))));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
    expect(await colourOf(answer.rawPayload)).toBe('r');
    expect(answer.rawPayload.toString('latin1')).not.toContain('where-i-live');
    expect(answer.rawPayload.length).toBeLessThan(10_000);
  });

  test('it is fetched once, and a browser that has it gets 304', async () => {
    const account = await anAccount(page(await picture('#1010e0'), '/once'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(account)));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
    const again = await get(account, { 'if-none-match': answers[0]!.headers.etag });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    expect(again.headers.etag).toBe(answers[0]!.headers.etag);
    expect(asked.filter((url) => url === '/once')).toHaveLength(1);
  });

  test('an owner’s third picture is fetched only when the first has been encoded', async () => {
    const background = '#1010e0';
    const large = await sharp({ create: { width: 1500, height: 1500, channels: 3, background } })
      .png()
      .toBuffer();
    const paths = Array.from({ length: 4 }, (_, index) => `/in-turn/${index}`);
    const accounts: string[] = [];
    for (const path of paths) accounts.push(await anAccount(page(large, path)));
    // The encoder is busy with the pictures of other owners.
    const others = Promise.all(Array.from({ length: 20 }, (_, index) => encodeAvatar(`owner ${index}`, large)));
    const answers = Promise.all(accounts.map((account) => get(account)));
    await others;
    expect(asked.filter((url) => paths.includes(url))).toHaveLength(2);
    expect((await answers).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(asked.filter((url) => paths.includes(url))).toHaveLength(4);
  });

  test('another address of the account is fetched immediately, the same one after a week', async () => {
    const account = await anAccount(page(await picture('#10e010'), '/green'), 'changing');
    expect(await colourOf((await get(account)).rawPayload)).toBe('g');
    pages.set('/green', await picture('#1010e0'));
    clock.advance({ seconds: 6 * day });
    expect(await colourOf((await get(account)).rawPayload)).toBe('g');
    clock.advance({ seconds: day });
    expect(await colourOf((await get(account)).rawPayload)).toBe('b');
    await anAccount(page(await picture('#e01010'), '/red'), 'changing');
    expect(await colourOf((await get(account)).rawPayload)).toBe('r');
  });

  test('a failure is remembered for ten minutes', async () => {
    const account = await anAccount(page(503, '/busy'));
    expect(await refusalOf(account)).toEqual(unavailable);
    pages.set('/busy', await picture('#10e010'));
    clock.advance({ seconds: 599 });
    expect(await refusalOf(account)).toEqual(unavailable);
    expect(asked.filter((url) => url === '/busy')).toHaveLength(1);
    clock.advance({ seconds: 1 });
    expect((await get(account)).statusCode).toBe(200);
  });

  test('an old picture is better than none', async () => {
    const account = await anAccount(page(await picture('#10e010'), '/soon-gone'));
    await get(account);
    pages.set('/soon-gone', 404);
    clock.advance({ seconds: 8 * day });
    for (let time = 0; time < 3; time += 1) expect(await colourOf((await get(account)).rawPayload)).toBe('g');
    expect(asked.filter((url) => url === '/soon-gone')).toHaveLength(2);
  });

  test('of another user it is not shown, with the same answer as for one that nobody has', async () => {
    const account = await anAccount(page(await picture('#10e010'), '/of-ada'));
    const eve = await insertTestUser(ours.app, { email: 'eve@example.com', plan: 'pro' });
    for (const platformId of [account, 'mastodon-nobody']) {
      const answer = await get(platformId, { 'x-service-key': eve.apiKey });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'CONNECTION_NOT_FOUND']);
    }
    expect(asked).not.toContain('/of-ada');
  });

  test('an account without a picture, one that is not connected, and what is no id', async () => {
    expect((await get(await anAccount(null))).json()).toMatchObject({ code: 'AVATAR_MISSING' });
    const gone = await anAccount(page(await picture('#10e010')));
    await get(gone);
    await disconnect(ours.app, { userId: ada.id }, gone);
    expect((await get(gone)).json()).toMatchObject({ code: 'CONNECTION_NOT_FOUND' });
    expect((await get('nonsense')).json()).toMatchObject({ code: 'PLATFORM_ID_UNREADABLE' });
  });

  test.each([
    ['the machine itself', () => canary.url],
    ['a private address', () => 'https://10.0.0.7/a.png'],
    ['a link-local address', () => 'http://169.254.169.254/latest/meta-data'],
    ['a name with a private address', () => 'https://inside.example/a.png'],
    ['a name with a public and a private address', () => 'https://both.example/a.png'],
    ['a redirect to the machine itself', () => page(`${canary.url}/a.png`, '/to/canary')],
    ['a redirect to a private address', () => page('https://10.0.0.7/a.png', '/to/private')],
  ])('is never fetched from %s', async (_where, address) => {
    expect(await refusalOf(await anAccount(address()))).toEqual(unavailable);
    expect(canary.connections()).toBe(0);
  });

  test.each([
    ['an SVG', () => svg],
    ['an SVG with a prologue and spaces', () => `\n<?xml version="1.0"?>${' '.repeat(5_000)}${svg}`],
    ['a page', () => '<!doctype html><script>alert(1)</script>'],
    ['a bomb of 38 bytes and 268 megapixels', () => flatWebp(16_383, 16_383)],
    ['more than 2 MB', () => Buffer.concat([flatWebp(10, 10), Buffer.alloc(2 * 1_048_576)])],
    ['nothing', () => ''],
    ['half a picture', () => flatWebp(10, 10).subarray(0, 20)],
  ])('%s is refused', async (_what, content) => {
    expect(await refusalOf(await anAccount(page(content())))).toEqual(unavailable);
  });
});

describe('in the sandbox', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });
  afterAll(() => service.close());

  test.each(Object.keys(platforms) as PlatformId[])('the picture of an account on %s is shown', async (platform) => {
    const ada = await service.aUser();
    const handle = `ada${platform}`;
    const { platformId } = await connectSandboxAccount(service.app, service.sandbox.url, ada.id, { platform, handle });
    const { connections } = (await ada.call('GET', '/platform-connections')).body;
    const { avatarPath, profileImageUrl } = connections[0];
    if (profileImageUrl === null) return expect(avatarPath).toBeNull();
    expect(avatarPath).toBe(`/api/v1/connections/${encodeURIComponent(platformId)}/avatar`);
    const headers = await signedIn(service, ada);
    const answer = await service.server.inject({ url: avatarPath, headers });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
  });

  test('an address that a user chose leads to the sandbox and nowhere else', async () => {
    await using canary = await serveCanary();
    const ada = await service.aUser();
    const account = { id: '1', handle: 'ada', displayName: 'Ada', avatarUrl: canary.url, profileUrl: null, traits: {} };
    const grant = { account, credentials: { accessToken: 'none' }, scopes: [], expiresAt: null };
    const { platformId } = await storeGrant(service.app, ada.id, 'mastodon', grant);
    expect((await ada.call('GET', `/connections/${platformId}/avatar`)).status).toBe(404);
    expect(canary.connections()).toBe(0);
  });
});
