import { describe, expect, test } from 'vitest';
import { mainPassword } from './session.ts';
import { aBluesky } from './testing.ts';

const hourMs = 3600_000;

describe('Bluesky sessions', () => {
  test('handle, DID and e-mail sign in with an app password, at the entryway and at the account’s own server', async () => {
    const ann = await (await aBluesky()).account('ann');
    const { appPassword } = ann.credentials;
    expect(appPassword).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
    for (const identifier of ['ann.bsky.social', ann.did, 'ann@mail.example']) {
      const answer = await ann.signIn(appPassword, identifier, 'bsky.social');
      expect(answer.status).toBe(200);
      const session = await answer.json();
      expect(session).toMatchObject({ did: ann.did, handle: 'ann.bsky.social', active: true, emailConfirmed: true });
      expect(session.didDoc.service).toEqual([
        { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: ann.credentials.pds },
      ]);
    }
    expect((await ann.signIn(appPassword)).status).toBe(200);
  });

  test('a wrong password, handle or server is refused without saying which', async () => {
    const sandbox = await aBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const refusal = { error: 'AuthenticationRequired', message: 'Invalid identifier or password' };
    const attempts = [
      ann.signIn('abcd-abcd-abcd-abcd'),
      ann.signIn(bo.credentials.appPassword),
      ann.signIn(ann.credentials.accessJwt),
      ann.signIn(ann.credentials.appPassword, 'nobody.bsky.social'),
      ann.signIn(ann.credentials.appPassword, ann.did, 'pds.example.org'),
    ];
    for (const answer of await Promise.all(attempts)) {
      expect([answer.status, await answer.json()]).toEqual([401, refusal]);
    }
  });

  test('the main password asks for a second factor', async () => {
    const ann = await (await aBluesky()).account('ann');
    const answer = await ann.signIn(mainPassword);
    expect([answer.status, (await answer.json()).error]).toEqual([401, 'AuthFactorTokenRequired']);
  });

  test('the access token is a JWT for two hours, whose end is 400 and not 401', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const ann = await (await aBluesky({ now: () => now })).account('ann');
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

  test('a refresh replaces both tokens; the spent one works on for two hours', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const ann = await (await aBluesky({ now: () => now })).account('ann');
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

  test('a refresh token ends after ninety days, and is no access token', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const sandbox = await aBluesky({ now: () => now });
    const ann = await sandbox.account('ann');
    const wrongKind = await ann.refresh(ann.credentials.accessJwt);
    expect([wrongKind.status, (await wrongKind.json()).error]).toEqual([400, 'InvalidToken']);
    now += 90 * 24 * hourMs;
    expect((await (await ann.refresh(ann.credentials.refreshJwt)).json()).error).toBe('ExpiredToken');
  });

  test('a refresh takes no body', async () => {
    const sandbox = await aBluesky();
    const ann = await sandbox.account('ann');
    const headers = { authorization: `Bearer ${ann.credentials.refreshJwt}` };
    const answer = await sandbox.sendJson('POST', `/${ann.host}/xrpc/com.atproto.server.refreshSession`, {}, headers);
    expect([answer.status, (await answer.json()).message]).toEqual([
      400,
      'A request body was provided when none was expected',
    ]);
  });

  test('a session that was deleted cannot be renewed', async () => {
    const sandbox = await aBluesky();
    const ann = await sandbox.account('ann');
    const next = await (await ann.refresh(ann.credentials.refreshJwt)).json();
    const headers = { authorization: `Bearer ${next.refreshJwt}` };
    const path = `/${ann.host}/xrpc/com.atproto.server.deleteSession`;
    expect((await sandbox.at(path, { method: 'POST', headers })).status).toBe(200);
    expect((await (await ann.refresh(next.refreshJwt)).json()).error).toBe('ExpiredToken');
  });

  test('whose tokens are revoked, gets in neither with them nor with the app password', async () => {
    const sandbox = await aBluesky();
    const ann = await sandbox.account('ann');
    await sandbox.change({ handle: 'ann', revokeTokens: true });
    expect((await (await ann.query('com.atproto.server.getSession')).json()).error).toBe('ExpiredToken');
    expect((await (await ann.refresh(ann.credentials.refreshJwt)).json()).error).toBe('ExpiredToken');
    expect((await ann.signIn(ann.credentials.appPassword)).status).toBe(401);
  });

  test('an account that was taken down cannot write, renew or sign in, and is not shown', async () => {
    const sandbox = await aBluesky();
    const ann = await sandbox.account('ann');
    const { uri } = await (await ann.create({ text: 'one' })).json();
    await sandbox.change({ handle: 'ann', suspended: true });
    const errorOf = async (answer: ReturnType<typeof ann.create>) => (await (await answer).json()).error;
    expect(await errorOf(ann.create({ text: 'two' }))).toBe('AccountTakedown');
    expect(await errorOf(ann.refresh(ann.credentials.refreshJwt))).toBe('AccountTakedown');
    expect((await ann.signIn(ann.credentials.appPassword)).status).toBe(401);
    expect(await errorOf(sandbox.read('app.bsky.actor.getProfile', `actor=${ann.did}`))).toBe('AccountTakedown');
    expect(await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).toEqual({ posts: [] });
  });

  test('a call without a token, or with one of another server, is refused', async () => {
    const sandbox = await aBluesky();
    const [ann, eve] = [await sandbox.account('ann'), await sandbox.account('eve.pds.example.org')];
    const bare = await sandbox.read('com.atproto.server.getSession', '', ann.host);
    expect([bare.status, (await bare.json()).error]).toEqual([401, 'AuthMissing']);
    const foreign = await ann.query('com.atproto.server.getSession', '', eve.host);
    expect([foreign.status, await foreign.json()]).toEqual([
      400,
      { error: 'InvalidToken', message: 'Token could not be verified' },
    ]);
  });

  test('people make app passwords in their settings', async () => {
    const sandbox = await aBluesky();
    const form = new URLSearchParams({ account: 'new', handle: 'zoe', decision: 'allow' });
    const path = '/bsky.app/settings/app-passwords';
    expect(await (await sandbox.at(path)).text()).toContain('Add an app password');
    const page = await (await sandbox.at(path, { method: 'POST', body: form })).text();
    const [, password = ''] = /<code>(.+)<\/code>/.exec(page) ?? [];
    const zoe = await sandbox.account('zoe');
    expect((await zoe.signIn(password)).status).toBe(200);
  });
});
