import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { seal } from '../../../foundation/lib/seal.ts';
import type { PlatformId } from '../../../platforms/index.ts';
import { connectSandboxAccount } from '../connect/sandbox.ts';
import { storeGrant } from '../connections.ts';
import { sealingContext } from './stored-credentials.ts';

let service: TestService;
let ada: TestUser;
let made = 0;
beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
});
afterEach(() => service.sandbox.clearFaults());
afterAll(() => service.close());

async function anAccount(platform: PlatformId) {
  made += 1;
  const account = { platform, handle: `tested${made}` };
  const { platformId, handle } = await connectSandboxAccount(service.app, service.sandbox.url, ada.id, account);
  return {
    platformId,
    change: (what: object) => service.sandbox.control('PATCH', '/accounts', { network: platform, handle, ...what }),
    test: async () => (await ada.call('POST', `/test-connection/${platformId}`)).body,
    standing: async () => {
      const { connections } = (await ada.call('GET', '/platform-connections')).body;
      return connections.find((one: { platformId: string }) => one.platformId === platformId);
    },
  };
}

describe('[connection.suspended] a suspended account', () => {
  test.for(['twitter', 'youtube'] as const)(
    'of %s has to be reconnected, and its token stays valid',
    async (platform) => {
      const account = await anAccount(platform);
      await account.change({ suspended: true });
      const tested = await account.test();
      expect(tested).toMatchObject({ status: 'error', permissions: [], tokenExpiresIn: null });
      expect(tested.message).toContain('suspended');
      expect(tested.lastError).toEqual({ message: tested.message, occurredAt: expect.any(String) });
      expect(await account.standing()).toMatchObject({
        connectionStatus: 'reconnect_required',
        tokenStatus: 'valid',
        tokenExpiresIn: null,
        lastError: tested.lastError,
      });

      await account.change({ suspended: false });
      expect(await account.test()).toMatchObject({ status: 'ok', lastError: null });
      expect(await account.standing()).toMatchObject({ connectionStatus: 'active', lastError: null });
    },
  );

  test.for<[PlatformId, message: string]>([
    ['linkedin', 'ACCESS_DENIED: Member is restricted'],
    ['bluesky', 'AccountTakedown: Account has been taken down'],
  ])('of %s is reported in the words of the network, and has to be reconnected', async ([platform, message]) => {
    const account = await anAccount(platform);
    await account.change({ suspended: true });
    const tested = await account.test();
    expect(tested).toMatchObject({ status: 'error', message });
    expect(tested.lastError).toEqual({ message: tested.message, occurredAt: expect.any(String) });
    const { lastError } = tested;
    expect(await account.standing()).toMatchObject({ connectionStatus: 'reconnect_required', lastError });
    await account.change({ suspended: false });
    expect(await account.test()).toMatchObject({ status: 'ok', lastError: null });
  });
});

test('[connection.token-youtube] a revoked grant of YouTube is an expired token', async () => {
  const account = await anAccount('youtube');
  await account.change({ revokeTokens: true });
  expect(await account.test()).toMatchObject({ status: 'error', tokenExpiresIn: 'expired' });
  expect(await account.standing()).toMatchObject({ connectionStatus: 'reconnect_required', tokenStatus: 'expired' });
});

test('[test-connection.bluesky] a revoked app password of Bluesky says that the password was refused', async () => {
  const account = await anAccount('bluesky');
  await account.change({ revokeTokens: true });
  const tested = await account.test();
  expect(tested).toMatchObject({ status: 'error', message: expect.stringContaining('password') });
  expect((await account.standing()).lastError).toEqual(tested.lastError);
});

test('[test-connection.message] the words of a refusal that follows a renewal are those of the platform', async () => {
  const account = await anAccount('twitter');
  await service.sandbox.control('POST', '/faults', {
    network: 'twitter',
    kind: 'expired_token',
    operation: 'account',
    times: 2,
  });
  const { message } = await account.test();
  expect(await account.standing()).toMatchObject({ connectionStatus: 'reconnect_required', lastError: { message } });
});

describe('Telegram', () => {
  test('[connection.token-unknown] stays active whatever a test says', async () => {
    const account = await anAccount('telegram');
    await account.change({ revokeTokens: true });
    const tested = await account.test();
    expect(tested).toMatchObject({ status: 'error', message: 'Request failed with status code 401' });
    expect(await account.standing()).toMatchObject({
      connectionStatus: 'active',
      tokenStatus: 'unknown',
      lastError: { message: tested.message },
    });
  });

  const account = { id: '-1001', handle: 'x', displayName: 'X', avatarUrl: null, profileUrl: null, traits: {} };

  test('[test-connection.telegram] without a bot token is an invalid bot connection', async () => {
    const grant = { account, credentials: { session: 'of MTProto' }, scopes: [], expiresAt: null };
    const { platformId } = await storeGrant(service.app, ada.id, 'telegram', grant);
    const { body } = await ada.call('POST', `/test-connection/${platformId}`);
    expect(body).toMatchObject({ status: 'error', message: 'Invalid bot connection' });
  });

  test('[test-connection.telegram] with credentials that no key opens is an invalid bot connection', async () => {
    const { app, database } = service;
    const grant = { account, credentials: { botToken: '1:a', chatId: '-1001' }, scopes: [], expiresAt: null };
    const { platformId } = await storeGrant(app, ada.id, 'telegram', grant);
    const foreign = seal('{}', sealingContext('another', 'telegram', '-1001'), app.sealingKeys);
    await database.pool.query('update connections set credentials = $1 where account_id = $2', [foreign, '-1001']);
    const { body } = await ada.call('POST', `/test-connection/${platformId}`);
    expect(body).toMatchObject({ status: 'error', message: 'Invalid bot connection' });
  });
});
