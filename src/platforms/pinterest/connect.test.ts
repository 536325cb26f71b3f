import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { consent } from '../../../test/support/browser/consent.ts';
import { authRequest, callback, oauthVendor, redirectUri } from '../../../test/support/browser/sign-in.ts';
import { openSandbox, type SandboxFault, type TestSandbox } from '../../../test/support/servers/sandbox.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import { connectables, platformFor } from '../index.ts';
import { platformClient } from '../kit/http/client.ts';
import { connect } from './connect.ts';
import { pinterest } from './index.ts';

const dayMs = 86_400_000;

test('Pinterest can be connected, but not posted to', () => {
  expect(connectables.pinterest).toBe(pinterest);
  expect(platformFor('pinterest')).toBeNull();
});

describe('at the sandbox', () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox('pinterest');
  });
  afterEach(() => sandbox.clearFaults());
  afterAll(() => sandbox.close());
  const client = () => platformClient(sandbox.access(), 'pinterest', new AbortController().signal);
  const renew = async (refreshToken: string) => connect.refresh?.({ accessToken: 'pina_old', refreshToken }, client());

  async function askConsent(decision: 'allow' | 'deny', handle: string) {
    const state = randomUUID();
    const { url } = await connect.start({ ...authRequest, state }, client());
    const back = await consent(sandbox.route(url), { decision, handle });
    expect(back.searchParams.get('state')).toBe(state);
    const code = back.searchParams.get('code') ?? '';
    return { back, callback: { redirectUri, code, codeVerifier: 'verifier', fields: {}, memo: null } };
  }

  test('consent ends in a grant with its account, its scopes and the expiry of both tokens', async () => {
    const { callback } = await askConsent('allow', 'ann');
    const before = Date.now();
    const [grant] = await connect.finish(callback, client());
    const { account: made } = await sandbox.account('ann');
    expect(grant?.account).toEqual({ ...made, displayName: 'ann', traits: {} });
    expect(grant?.scopes).toEqual(['user_accounts:read', 'boards:read']);
    expect(pinterest.credentials.parse(grant?.credentials)).toEqual(grant?.credentials);
    const days = (end?: Date | null) => Math.floor(((end?.getTime() ?? 0) - before) / dayMs);
    expect([days(grant?.expiresAt), days(grant?.refreshExpiresAt)]).toEqual([30, 60]);
  });

  test('a person who declines comes back without a code', async () => {
    const { back } = await askConsent('deny', 'ben');
    expect(back.searchParams.get('code')).toBeNull();
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  test('an unknown code is refused with a reason', async () => {
    const { callback } = await askConsent('allow', 'carol');
    const failure = await failureOf(connect.finish({ ...callback, code: 'made-up' }, client()));
    expect(failure).toMatchObject({ kind: 'auth', status: 400, reason: expect.stringMatching(/\S/) });
  });

  test('a refresh token is replaced, and works once', async () => {
    const { callback } = await askConsent('allow', 'dan');
    const [grant] = await connect.finish(callback, client());
    const first = grant?.credentials.refreshToken ?? '';
    const renewed = await renew(first);
    expect(renewed?.credentials.refreshToken).not.toBe(first);
    expect((await failureOf(renew(first))).kind).toBe('auth');
    expect(await renew(renewed?.credentials.refreshToken ?? '')).toMatchObject({ expiresAt: expect.any(Date) });
  });

  test.for<[SandboxFault, string, number | null]>([
    [{ kind: 'status', status: 500 }, 'unavailable', null],
    [{ kind: 'status', status: 502 }, 'unavailable', null],
    [{ kind: 'status', status: 403 }, 'auth', null],
    [{ kind: 'expired_token' }, 'auth', null],
    [{ kind: 'reset_before' }, 'network', null],
    [{ kind: 'rate_limit', retryAfterSeconds: 90 }, 'rate_limited', 90],
  ])('%j is "%s" and shows no secret', async ([fault, kind, seconds]) => {
    const { callback } = await askConsent('allow', 'eve');
    const secrets = [callback.code, 'crier-sandbox-secret-0123456789'];
    await sandbox.fault({ operation: 'token', ...fault });
    const failure = await failureOf(connect.finish(callback, client()));
    expect(failure.kind).toBe(kind);
    expect(failure.retryAfterSeconds).toBe(seconds);
    expectNoSecret(failure, secrets);
  });
});

const token = { access_token: 'pina_new', refresh_token: 'pinr_new', expires_in: 2_592_000, scope: 'boards:read' };

test('a business has its name, and an account without an id uses its handle', async () => {
  const user = { username: 'annlee', account_type: 'BUSINESS', business_name: 'Ann & Co', profile_image: '' };
  await using vendor = await oauthVendor('pinterest', {
    '/v5/oauth/token': { body: token },
    '/v5/user_account': { body: user },
  });
  const [grant] = await connect.finish(callback, vendor.client);
  expect(grant?.account).toMatchObject({ id: 'annlee', handle: 'annlee', displayName: 'Ann & Co', avatarUrl: null });
  expect(grant?.refreshExpiresAt).toBeNull();
});

test('a refresh token that is not replaced is kept', async () => {
  const { refresh_token: _, ...rest } = token;
  await using vendor = await oauthVendor('pinterest', { '/v5/oauth/token': { body: rest } });
  const renewed = await connect.refresh?.({ accessToken: 'pina_old', refreshToken: 'pinr_old' }, vendor.client);
  expect(renewed?.credentials).toEqual({ accessToken: 'pina_new', refreshToken: 'pinr_old' });
});

test('a grant without a refresh token is refused', async () => {
  const { refresh_token: _, ...rest } = token;
  await using vendor = await oauthVendor('pinterest', { '/v5/oauth/token': { body: rest } });
  expect((await failureOf(connect.finish(callback, vendor.client))).kind).toBe('auth');
});

test('an account that may not be read has to be reconnected', async () => {
  const refusal = { code: 403, message: 'Not authorized to access the user account.' };
  await using vendor = await oauthVendor('pinterest', {
    '/v5/oauth/token': { body: token },
    '/v5/user_account': { status: 403, body: refusal },
  });
  const failure = await failureOf(connect.finish(callback, vendor.client));
  expect(failure).toMatchObject({ kind: 'auth', reason: refusal.message });
  expect(failure.message).toContain('Reconnect it');
});

test('a token without optional fields grants what was requested, with an unknown expiry', async () => {
  const required = { access_token: 'pina_new', refresh_token: 'pinr_new' };
  const answers = { '/v5/oauth/token': { body: required }, '/v5/user_account': { body: { username: 'annlee' } } };
  await using vendor = await oauthVendor('pinterest', answers);
  expect(await connect.finish(callback, vendor.client)).toMatchObject([
    { scopes: ['user_accounts:read', 'boards:read'], expiresAt: null, refreshExpiresAt: null },
  ]);
});
