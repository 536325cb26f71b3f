import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { type TestClock, testApp, testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { PlatformName } from '../../../platforms/index.ts';
import { connectSandboxAccount } from '../connect/sandbox.ts';
import { storeGrant } from '../connections.ts';
import { renewOrAnnounce } from '../tasks.ts';

/** `token.expiring` (contract.md#events.token-expiring-once). */

const daySeconds = 86_400;
let clock: TestClock;
let service: TestService;
let ada: TestUser;
let made = 0;
beforeAll(async () => {
  clock = testClock();
  service = await testService({ clock });
  ada = await service.aUser();
});
beforeEach(async () => {
  await query('delete from connections');
  await query('delete from events');
});
afterAll(() => service.close());

const query = (text: string, ...values: unknown[]) => service.database.pool.query(text, values);
const inDays = (days: number) => new Date(clock.now().getTime() + days * daySeconds * 1000);
const hourPasses = (app = service.app) => renewOrAnnounce(app, new AbortController().signal);

interface Ends {
  expiresAt: Date | null;
  refreshExpiresAt?: Date | null;
}

const tiktok = {
  platform: 'tiktok',
  credentials: { accessToken: 'token', refreshToken: 'token', openId: 'id' },
} as const;
const byHand = { accessToken: 'token', refreshToken: null, organizationId: null };

/** Credentials are not renewed on the day they were stored. */
const connectedLongAgo = () => query('update connections set updated_at = $1', inDays(-50));

/** An account connected through a browser. By default, only its owner can renew it. */
async function connect(
  ends: Ends,
  { platform = 'linkedin' as PlatformName, credentials = byHand as Json, id = '' } = {},
) {
  made += 1;
  const account = {
    id: id || `account${made}`,
    handle: `handle${made}`,
    displayName: 'Ada',
    avatarUrl: null,
    profileUrl: null,
    traits: {},
  };
  await storeGrant(service.app, ada.id, platform, { account, credentials, scopes: [], ...ends });
  await connectedLongAgo();
  return account;
}

/** A sandbox account whose credentials can be renewed. */
async function connectRenewable(expiresAt: Date) {
  made += 1;
  const account = { platform: 'linkedin', handle: `renewable${made}` } as const;
  const { platformId } = await connectSandboxAccount(service.app, service.sandbox.url, ada.id, account);
  await query('update connections set expires_at = $1', expiresAt);
  await connectedLongAgo();
  return platformId;
}

async function announced() {
  const { rows } = await query(`select user_id, type, post_group_id, body from events order by id`);
  return rows.map(({ body, ...row }) => {
    const envelope = JSON.parse(body);
    expect(JSON.stringify(envelope)).toBe(body);
    expect(row).toEqual({ user_id: ada.id, type: 'token.expiring', post_group_id: null });
    return envelope;
  });
}

describe('credentials that Crier cannot renew', () => {
  test('are announced once, seven days ahead, to the webhooks that subscribe', async () => {
    const hook = { name: 'Mine', url: 'https://example.com/hook', events: ['token.expiring'] };
    await ada.call('POST', '/webhooks', hook);
    const expiresAt = inDays(8);
    const { id, handle } = await connect({ expiresAt });
    await hourPasses();
    expect(await announced()).toEqual([]);

    clock.advance({ seconds: daySeconds });
    const timestamp = clock.now().toISOString();
    for (const seconds of [0, 3600, daySeconds, 5 * daySeconds, 10 * daySeconds]) {
      clock.advance({ seconds });
      await hourPasses();
    }
    const data = {
      platform: 'linkedin',
      platformId: `linkedin-${id}`,
      username: handle,
      expiresAt: expiresAt.toISOString(),
    };
    const envelopes = await announced();
    expect(envelopes).toEqual([{ version: '1', event: 'token.expiring', timestamp, data }]);
    expect(Object.keys(envelopes[0].data)).toEqual(['platform', 'platformId', 'username', 'expiresAt']);
    const { rows } = await query('select event, body from webhook_deliveries');
    expect(rows).toEqual([{ event: 'token.expiring', body: JSON.stringify(envelopes[0]) }]);
  });

  test('are announced again for the expiry that a reconnection brings', async () => {
    const { id } = await connect({ expiresAt: inDays(3) });
    await hourPasses();
    const next = inDays(60);
    await connect({ expiresAt: next }, { id });
    await hourPasses();
    expect(await announced()).toHaveLength(1);
    clock.advance({ seconds: 55 * daySeconds });
    await hourPasses();
    await hourPasses();
    const envelopes = await announced();
    expect(envelopes).toHaveLength(2);
    expect(envelopes[1].data.expiresAt).toBe(next.toISOString());
  });

  test('are announced by one of two processes that find them at the same time', async () => {
    const other = await testApp({ database: service.database, sandboxUrl: service.sandbox.url, clock });
    await connect({ expiresAt: null, refreshExpiresAt: inDays(3) }, tiktok);
    const client = await service.database.pool.connect();
    await client.query('begin');
    await client.query('select from connections for update');
    const both = Promise.all([hourPasses(), hourPasses(other.app)]);
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%expiry_announced_for%'`;
    await eventually(async () => expect((await query(waiting)).rowCount).toBe(2), { interval: 20 });
    await client.query('commit');
    client.release();
    await both;
    expect(await announced()).toHaveLength(1);
    await other.close();
  });

  test.each<[what: string, ends: () => Ends, change?: string]>([
    ['have expired', () => ({ expiresAt: inDays(-1) })],
    ['have no known expiry', () => ({ expiresAt: null })],
    [
      'the platform has refused already',
      () => ({ expiresAt: inDays(3) }),
      'update connections set reconnect_required_at = now()',
    ],
  ])('are not announced if they %s', async (_, ends, change = 'select 1') => {
    await connect(ends());
    await query(change);
    await hourPasses();
    expect(await announced()).toEqual([]);
  });

  test('are announced by the date of the refresh token, where that one ends the connection', async () => {
    await connect({ expiresAt: inDays(0.1), refreshExpiresAt: inDays(30) }, tiktok);
    await hourPasses();
    expect(await announced()).toEqual([]);
    const refreshExpiresAt = inDays(6);
    await connect({ expiresAt: inDays(0.1), refreshExpiresAt }, tiktok);
    await hourPasses();
    expect(await announced()).toMatchObject([{ data: { expiresAt: refreshExpiresAt.toISOString() } }]);
  });
});

describe('credentials that Crier can renew', () => {
  test('are renewed and not announced', async () => {
    await connectRenewable(inDays(3));
    await hourPasses();
    expect(await announced()).toEqual([]);
    const { rows } = await query('select expires_at from connections');
    expect(rows[0].expires_at.getTime()).toBeGreaterThan(inDays(30).getTime());
  });

  test('are not announced while the platform is out of order', async () => {
    await connectRenewable(inDays(3));
    await service.sandbox.control('POST', '/faults', {
      network: 'linkedin',
      operation: 'token',
      kind: 'status',
      status: 503,
      times: 1,
    });
    await hourPasses();
    expect(await announced()).toEqual([]);
  });

  test('are announced once the platform refuses to renew them', async () => {
    const platformId = await connectRenewable(inDays(3));
    await service.sandbox.control('POST', '/faults', {
      network: 'linkedin',
      operation: 'token',
      kind: 'expired_token',
      times: 2,
    });
    await hourPasses();
    await hourPasses();
    expect(await announced()).toMatchObject([{ data: { platformId } }]);
  });

  test('are not announced on a platform whose credentials do not expire', async () => {
    await ada.aConnection('mastodon');
    await query('update connections set expires_at = $1, refresh_expires_at = $1', inDays(3));
    await hourPasses();
    expect(await announced()).toEqual([]);
  });
});
