import { describe, expect, test } from 'vitest';
import { startBluesky } from '../testing.ts';
import { mainPassword } from './session.ts';

const hourMs = 3600_000;

describe('Bluesky sessions', () => {
  test('handle, DID and email log in with an app password, at the entryway and at the account’s own server', async () => {
    const ann = await (await startBluesky()).account('ann');
    const { appPassword } = ann.credentials;
    expect(appPassword).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
    for (const identifier of ['ann.bsky.social', ann.did, 'ann@mail.example']) {
      const response = await ann.createSession(appPassword, identifier, 'bsky.social');
      expect(response.status).toBe(200);
      const session = await response.json();
      expect(session).toMatchObject({ did: ann.did, handle: 'ann.bsky.social', active: true, emailConfirmed: true });
      expect(session.didDoc.service).toEqual([
        { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: ann.credentials.pds },
      ]);
    }
    expect((await ann.createSession(appPassword)).status).toBe(200);
  });

  test('a server of one’s own tells an address that only it can reach; the directory tells the right one', async () => {
    const sandbox = await startBluesky();
    const eve = await sandbox.account('eve.pds.example.org');
    const session = await (await eve.createSession(eve.credentials.appPassword)).json();
    expect(session.didDoc.service).toMatchObject([{ serviceEndpoint: 'http://localhost:2583' }]);
    const document = await (await sandbox.at('/eve.pds.example.org/.well-known/did.json')).json();
    expect(document.service).toMatchObject([{ serviceEndpoint: 'https://pds.example.org' }]);
  });

  test('a wrong password, handle or server is refused without a reason', async () => {
    const sandbox = await startBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const refusal = { error: 'AuthenticationRequired', message: 'Invalid identifier or password' };
    const attempts = [
      ann.createSession('abcd-abcd-abcd-abcd'),
      ann.createSession(bo.credentials.appPassword),
      ann.createSession(ann.credentials.accessJwt),
      ann.createSession(ann.credentials.appPassword, 'nobody.bsky.social'),
      ann.createSession(ann.credentials.appPassword, ann.did, 'pds.example.org'),
    ];
    for (const response of await Promise.all(attempts)) {
      expect([response.status, await response.json()]).toEqual([401, refusal]);
    }
  });

  test('the main password requires a second factor', async () => {
    const ann = await (await startBluesky()).account('ann');
    const response = await ann.createSession(mainPassword);
    expect([response.status, (await response.json()).error]).toEqual([401, 'AuthFactorTokenRequired']);
  });

  test('the access token is a JWT for two hours, and its expiry is 400 and not 401', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const ann = await (await startBluesky({ now: () => now })).account('ann');
    const [, payload = ''] = ann.credentials.accessJwt.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      scope: 'com.atproto.appPass',
      sub: ann.did,
      aud: `did:web:${ann.host}`,
      iat: now / 1000,
      exp: now / 1000 + 7200,
    });
    now += 2 * hourMs - 1000;
    expect((await ann.query('com.atproto.server.getSession')).status).toBe(200);
    now += 1000;
    const late = await ann.query('com.atproto.server.getSession');
    expect([late.status, await late.json()]).toEqual([400, { error: 'ExpiredToken', message: 'Token has expired' }]);
  });

  test('a refresh replaces both tokens; the spent one keeps working for two hours', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const ann = await (await startBluesky({ now: () => now })).account('ann');
    const first = ann.credentials.refreshJwt;
    const second = await (await ann.refresh(first)).json();
    expect(second).toMatchObject({ did: ann.did, handle: 'ann.bsky.social' });
    expect([first, ann.credentials.accessJwt]).not.toContain(second.refreshJwt);
    now += 2 * hourMs - 1000;
    expect((await ann.refresh(first)).status).toBe(200);
    now += 1000;
    const dead = await ann.refresh(first);
    expect([dead.status, await dead.json()]).toEqual([
      400,
      { error: 'ExpiredToken', message: 'Token has been revoked' },
    ]);
    expect((await ann.refresh(second.refreshJwt)).status).toBe(200);
  });

  test('a refresh token expires after ninety days and is not an access token', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const sandbox = await startBluesky({ now: () => now });
    const ann = await sandbox.account('ann');
    const wrongKind = await ann.refresh(ann.credentials.accessJwt);
    expect([wrongKind.status, (await wrongKind.json()).error]).toEqual([400, 'InvalidToken']);
    now += 90 * 24 * hourMs;
    expect((await (await ann.refresh(ann.credentials.refreshJwt)).json()).error).toBe('ExpiredToken');
  });

  test('a refresh takes no body', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const headers = { authorization: `Bearer ${ann.credentials.refreshJwt}` };
    const response = await sandbox.sendJson('POST', `/${ann.host}/xrpc/com.atproto.server.refreshSession`, {}, headers);
    expect([response.status, (await response.json()).message]).toEqual([
      400,
      'A request body was provided when none was expected',
    ]);
  });

  test('an account whose tokens are revoked cannot log in with its app password either', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    await sandbox.change({ handle: 'ann', revokeTokens: true });
    expect((await (await ann.query('com.atproto.server.getSession')).json()).error).toBe('ExpiredToken');
    expect((await (await ann.refresh(ann.credentials.refreshJwt)).json()).error).toBe('ExpiredToken');
    expect((await ann.createSession(ann.credentials.appPassword)).status).toBe(401);
  });

  test('an account that was taken down cannot write, refresh or log in, and is hidden', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const { uri } = await (await ann.create({ text: 'one' })).json();
    await sandbox.change({ handle: 'ann', suspended: true });
    const errorOf = async (response: ReturnType<typeof ann.create>) => (await (await response).json()).error;
    expect(await errorOf(ann.create({ text: 'two' }))).toBe('AccountTakedown');
    expect(await errorOf(ann.refresh(ann.credentials.refreshJwt))).toBe('AccountTakedown');
    expect((await ann.createSession(ann.credentials.appPassword)).status).toBe(401);
    expect(await (await ann.query('com.atproto.server.getSession')).json()).toEqual({
      error: 'InvalidRequest',
      message: `Could not find user info for account: ${ann.did}`,
    });
    expect(await errorOf(sandbox.read('app.bsky.actor.getProfile', `actor=${ann.did}`))).toBe('AccountTakedown');
    expect(await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).toEqual({ posts: [] });
  });

  test('a call without a token, or with a token of another server, is refused', async () => {
    const sandbox = await startBluesky();
    const [ann, eve] = [await sandbox.account('ann'), await sandbox.account('eve.pds.example.org')];
    const bare = await sandbox.read('com.atproto.server.getSession', '', ann.host);
    expect([bare.status, (await bare.json()).error]).toEqual([401, 'AuthMissing']);
    const foreign = await ann.query('com.atproto.server.getSession', '', eve.host);
    expect([foreign.status, await foreign.json()]).toEqual([
      400,
      { error: 'InvalidToken', message: 'Token could not be verified' },
    ]);
  });

  test('users create app passwords in their settings', async () => {
    const sandbox = await startBluesky();
    const form = new URLSearchParams({ account: 'new', handle: 'zoe', decision: 'allow' });
    const path = '/bsky.app/settings/app-passwords';
    expect(await (await sandbox.at(path)).text()).toContain('Add an app password');
    const page = await (await sandbox.at(path, { method: 'POST', body: form })).text();
    const [, password = ''] = /<code>(.+)<\/code>/.exec(page) ?? [];
    const zoe = await sandbox.account('zoe');
    expect((await zoe.createSession(password)).status).toBe(200);
  });
});
