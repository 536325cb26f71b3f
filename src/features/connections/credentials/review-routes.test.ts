import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import type { PlatformId } from '../../../platforms/index.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { connectSandboxAccount } from '../connect/sandbox.ts';
import { storeGrant } from '../connections.ts';

const clock = testClock();
let service: TestService;
let [ada, bob]: TestUser[] = [];
beforeAll(async () => {
  service = await testService({ clock });
  [ada, bob] = [await service.aUser(), await service.aUser()];
});
afterAll(() => service.close());

function signedFor(platform: string, user_id: string, secret?: string) {
  const key = secret ?? service.app.platformAccess.applications[platform]?.secret ?? '';
  const payload = { algorithm: 'HMAC-SHA256', issued_at: clock.now().getTime() / 1000, user_id };
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${createHmac('sha256', key).update(body).digest('base64url')}.${body}`;
}

async function send(platform: string, path: 'deauthorized' | 'data-deletion', signed_request: string) {
  const response = await service.server.inject({
    method: 'POST',
    url: `/networks/${platform}/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ signed_request }).toString(),
  });
  return { status: response.statusCode, body: response.json() };
}

const connectionsOf = async (user: TestUser | undefined) => {
  const { body } = await user!.call('GET', '/platform-connections');
  return body.connections as { platformId: string; health: string; healthMessage: string }[];
};

/** Connects the account for both users: one person may have granted it to each. */
async function connect(platform: PlatformId, handle: string) {
  const { app, sandbox } = service;
  const ids: string[] = [];
  for (const user of [ada!, bob!]) {
    ids.push((await connectSandboxAccount(app, sandbox.url, user.id, { platform, handle })).platformId);
  }
  return ids[0]!;
}

describe('a person who removes the service at the network', () => {
  test('breaks the connections that they granted, and the owners are notified', async () => {
    const platformId = await connect('threads', 'remover');
    const other = await connect('threads', 'stays');
    const answer = await send('threads', 'deauthorized', signedFor('threads', platformId.slice('threads-'.length)));
    expect(answer).toEqual({ status: 200, body: { success: true } });
    for (const user of [ada, bob]) {
      const health = new Map((await connectionsOf(user)).map((one) => [one.platformId, one.health]));
      expect([health.get(platformId), health.get(other)]).toEqual(['reconnect', 'healthy']);
    }
    const { rows } = await service.database.pool.query(
      `select count(*)::int from mails where kind = 'connection_broken'`,
    );
    expect(rows).toEqual([{ count: 2 }]);
  });
});

describe('a person who wants their data deleted', () => {
  test('loses all connections that they granted, and gets a page that says so', async () => {
    const platformId = await connect('threads', 'leaver');
    const { status, body } = await send(
      'threads',
      'data-deletion',
      signedFor('threads', platformId.slice('threads-'.length)),
    );
    expect([status, body]).toEqual([
      200,
      {
        url: `${service.app.publicUrl}/networks/data-deletion/${body.confirmation_code}`,
        confirmation_code: expect.stringMatching(/^[0-9a-z]{32}$/),
      },
    ]);
    for (const user of [ada, bob]) {
      expect((await connectionsOf(user)).map((one) => one.platformId)).not.toContain(platformId);
    }
    const page = await service.server.inject(new URL(body.url).pathname);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain(clock.now().toUTCString());
  });

  test('is found by the id that Instagram and Facebook have for the person', async () => {
    const instagram = await connect('instagram', 'shop');
    const { rows } = await service.database.pool.query(
      `select traits ->> 'grantedBy' as person from connections where platform = 'instagram' limit 1`,
    );
    expect(rows[0].person).toMatch(/^\d+$/);
    expect(rows[0].person).not.toBe(instagram.slice('instagram-'.length));
    await send('instagram', 'data-deletion', signedFor('instagram', rows[0].person));
    expect((await connectionsOf(ada)).map((one) => one.platformId)).not.toContain(instagram);

    const account = { id: '1043', handle: 'bakery', displayName: 'Bakery', avatarUrl: null, profileUrl: null };
    const grant = { credentials: { accessToken: 'none', pageId: '1043' }, scopes: [], expiresAt: null };
    await storeGrant(service.app, ada!.id, 'facebook', {
      ...grant,
      account: { ...account, traits: { grantedBy: '77' } },
    });
    await send('facebook', 'data-deletion', signedFor('facebook', '78'));
    expect((await connectionsOf(ada)).map((one) => one.platformId)).toContain('facebook-1043');
    await send('facebook', 'data-deletion', signedFor('facebook', '77'));
    expect((await connectionsOf(ada)).map((one) => one.platformId)).not.toContain('facebook-1043');
  });

  test('learns nothing about others: a person without connections gets the same answer', async () => {
    expect(await send('threads', 'data-deletion', signedFor('threads', '123'))).toMatchObject({ status: 200 });
  });

  test.for(['0', 'x'.repeat(32), '000000000000000000000000000000ff', '%00'])(
    'the code %s is not known',
    async (code) => {
      const page = await service.server.inject(`/networks/data-deletion/${code}`);
      expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );
});

describe('a forged request', () => {
  test.for(['deauthorized', 'data-deletion'] as const)('to %s changes nothing', async (path) => {
    const platformId = await connect('threads', `target.${path.length}`);
    const person = platformId.slice('threads-'.length);
    for (const signed of ['', 'a.b', signedFor('threads', person, 'a-guessed-secret')]) {
      expect(await send('threads', path, signed)).toMatchObject({
        status: 400,
        body: { code: 'WITHDRAWAL_NOT_SIGNED', hint: expect.stringMatching(/\S/) },
      });
    }
    const found = (await connectionsOf(ada)).find((one) => one.platformId === platformId);
    expect(found).toMatchObject({ health: 'healthy' });
  });

  test.for(['mastodon', 'twitter', 'myspace', '__proto__'])('to %s, which sends none, is refused', async (platform) => {
    expect((await send(platform, 'data-deletion', signedFor('threads', '1'))).status).toBe(404);
  });
});

test('the files by which TikTok verifies the site are served where it looks for them', async () => {
  const platformAccess = {
    ...service.app.platformAccess,
    options: { tiktok: { VERIFICATION: 'AbCdEfGh12345678, Zz99Zz99Zz99' } },
  };
  const server = await buildServer({ ...service.app, platformAccess });
  onTestFinished(() => server.close());
  for (const path of ['/tiktokAbCdEfGh12345678.txt', '/media/tiktokZz99Zz99Zz99.txt']) {
    const { statusCode, headers, body } = await server.inject(path);
    expect([statusCode, headers['content-type'], body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      `tiktok-developers-site-verification=${/tiktok(\w+)\.txt/.exec(path)?.[1]}`,
    ]);
  }
  expect((await server.inject('/tiktokOther12345678.txt')).statusCode).toBe(404);
});
