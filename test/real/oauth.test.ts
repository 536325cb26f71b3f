import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { finishConnect, redirectUri, startConnect } from '../../src/features/connections/connect/connect.ts';
import { platformClient } from '../../src/platforms/kit/http/client.ts';
import { twitter } from '../../src/platforms/twitter/index.ts';
import { type TestApp, testApp } from '../support/service/app.ts';
import { insertTestUser } from '../support/service/user.ts';
import { failureOf } from '../support/stages/platform.ts';
import { type OidcServer, startOidc } from './servers/oidc.ts';
import { describeServer } from './servers/server.ts';

/** Contains characters that must be encoded in an OAuth Authorization header. */
const application = { id: 'crier app', secret: 'a+secret/with:odd=characters %' };

const publicUrl = 'https://crier.example';
const start = () => startOidc(application, redirectUri({ publicUrl }));

await describeServer('oidc-provider', start, (server: OidcServer) => {
  let stage: TestApp;
  let app: App;
  let who: { userId: string };
  beforeAll(async () => {
    stage = await testApp({ publicUrl });
    const platformAccess = { ...stage.app.platformAccess, ...server.access, applications: { twitter: application } };
    app = { ...stage.app, platformAccess };
    who = { userId: (await insertTestUser(app, { email: 'ada@example.com', plan: 'pro' })).id };
  });
  afterAll(async () => {
    await stage?.close();
    await server[Symbol.asyncDispose]();
  });

  async function start() {
    const started = await startConnect(app, who, 'twitter', {});
    if (!('url' in started)) throw new Error('X has a consent page.');
    const address = new URL(started.url);
    return new URL(address.pathname + address.search, 'https://x.com').href;
  }
  async function answerOf(login: string) {
    const back = await server.consent(await start(), login);
    const { state = '', code = '', iss = '' } = Object.fromEntries(back.searchParams);
    return { state, code, iss };
  }

  test('connects the account, with PKCE and the name of the server', async () => {
    const answer = await answerOf('ann');
    expect(answer.iss).toBe('https://x.com');
    expect(await finishConnect(app, who, answer)).toEqual({ connected: [{ platformId: 'twitter-1', handle: 'ann' }] });
  });

  test('works once', async () => {
    const answer = await answerOf('ann');
    await finishConnect(app, who, answer);
    await expect(finishConnect(app, who, answer)).rejects.toMatchObject({ key: 'connect_state_invalid' });
  });

  test('refuses an answer in the name of another server', async () => {
    const answer = await answerOf('ann');
    const refused = finishConnect(app, who, { ...answer, iss: 'https://evil.example' });
    await expect(refused).rejects.toMatchObject({ key: 'connect_issuer_wrong' });
  });

  test('refuses the code of another sign-in, whose verifier it does not have', async () => {
    const [own, stolen] = [await answerOf('ann'), await answerOf('mallory')];
    await expect(finishConnect(app, who, { ...own, code: stolen.code })).rejects.toMatchObject({
      key: 'connect_refused',
      body: { reason: expect.stringContaining('invalid_grant') },
    });
  });

  test('refuses what the person refused', async () => {
    const { state } = await answerOf('ann');
    const refused = finishConnect(app, who, { state, error: 'access_denied' });
    await expect(refused).rejects.toMatchObject({ key: 'connect_cancelled' });
  });

  test('lasts: the access is renewed, and a refresh token that was used ends as "auth"', async () => {
    const { connect } = twitter;
    if (connect.kind !== 'oauth' || !connect.refresh) throw new Error('X renews its tokens.');
    const client = platformClient(app.platformAccess, 'twitter', new AbortController().signal);
    const codeVerifier = 'v'.repeat(43);
    const request = { redirectUri: redirectUri(app), state: 's', codeChallenge: await s256(codeVerifier), fields: {} };
    const { url } = await connect.start(request, client);
    const code = (await server.consent(url.href, 'ann')).searchParams.get('code') ?? '';
    const callback = { redirectUri: redirectUri(app), code, codeVerifier, fields: {}, memo: null };
    const [grant] = await connect.finish(callback, client);
    const { credentials } = await connect.refresh(grant!.credentials, client);
    expect(credentials.accessToken).not.toBe(grant!.credentials.accessToken);
    expect(await failureOf(connect.refresh(grant!.credentials, client))).toMatchObject({ kind: 'auth' });
  });
});

const s256 = async (verifier: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString('base64url');
