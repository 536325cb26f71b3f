import { describe, expect, test } from 'vitest';
import {
  application,
  type GraphAnswer,
  graphServer,
  redirectUri,
  refusal,
} from '../../../test/support/servers/graph.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import * as instagram from '../instagram/connect.ts';
import * as threads from '../threads/connect.ts';

const userId = '17841405793187218';
const callback = { redirectUri, code: 'the-code-1', codeVerifier: 'the-verifier-1', fields: {}, memo: null };
const credentials = { accessToken: 'access-token-1', userId };
const token = { access_token: 'access-token-2', token_type: 'bearer', expires_in: 5_184_000 };

describe.for([
  { platform: 'instagram', prefix: 'ig', idName: 'user_id', ...instagram },
  { platform: 'threads', prefix: 'th', idName: 'id', ...threads },
] as const)('$platform', ({ platform, prefix, idName, connect, testConnection }) => {
  const vendor = (answers: Record<string, GraphAnswer> = {}) => {
    const all: Record<string, GraphAnswer> = {
      // As sent on the wire: the number is too large for JavaScript.
      'POST /oauth/access_token': `{"access_token":"short-token-1","user_id":${userId}}`,
      'GET /access_token': token,
      'GET /refresh_access_token': token,
      'GET /me': { [idName]: userId, username: 'ann' },
      ...answers,
    };
    return graphServer(platform, Object.fromEntries(Object.entries(all).map(([call, answer]) => [call, [answer]])));
  };
  const refreshed = async (server: Awaited<ReturnType<typeof vendor>>) => connect.refresh?.(credentials, server.client);

  test('a code becomes a token for sixty days', async () => {
    await using server = await vendor();
    expect(await connect.finish({ ...callback, code: 'the-code-1#_' }, server.client)).toMatchObject([
      {
        account: { id: userId, handle: 'ann', displayName: 'ann' },
        credentials: { accessToken: 'access-token-2', userId },
        expiresAt: new Date('2031-04-04T04:05:06Z'),
      },
    ]);
    const [exchange, longLived, me] = server.asked;
    expect(exchange?.form).toEqual({
      client_id: 'client-1',
      client_secret: application.secret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code: 'the-code-1',
    });
    expect(longLived?.query).toEqual({
      grant_type: `${prefix}_exchange_token`,
      client_secret: application.secret,
      access_token: 'short-token-1',
    });
    const token = 'access-token-2';
    const sent = platform === 'threads' ? { token, authorization: undefined } : { authorization: `Bearer ${token}` };
    expect(me).toMatchObject(sent);
  });

  test('a refresh takes the new token and keeps the account', async () => {
    await using server = await vendor();
    expect(await refreshed(server)).toEqual({
      credentials: { accessToken: 'access-token-2', userId },
      expiresAt: new Date('2031-04-04T04:05:06Z'),
    });
    const query = { grant_type: `${prefix}_refresh_token`, access_token: 'access-token-1' };
    expect(server.asked).toMatchObject([{ call: 'GET /refresh_access_token', query }]);
  });

  test('a token without a lifetime has the documented one', async () => {
    await using server = await vendor({ 'GET /refresh_access_token': { access_token: 'access-token-2' } });
    expect(await refreshed(server)).toMatchObject({ expiresAt: new Date('2031-04-04T04:05:06Z') });
  });

  test('an answer with an empty token is not accepted', async () => {
    await using server = await vendor({ 'GET /refresh_access_token': { access_token: '', expires_in: 5_184_000 } });
    expect((await failureOf(refreshed(server))).kind).toBe('unavailable');
  });

  test('a revoked connection asks the owner to reconnect', async () => {
    await using server = await vendor({ 'GET /me': refusal(190, 458, 'Session has expired') });
    const failure = await failureOf(testConnection(server.run()));
    expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('Reconnect the account') });
  });

  test('a refused sign-in shows nothing of what was sent', async () => {
    const sent = [callback.code, application.secret, 'short-token-1', credentials.accessToken];
    const codeRefused = { status: 400, error_type: 'OAuthException', error_message: sent.join(' ') };
    const tokenRefused = refusal(100, undefined, sent.join(' '));
    await using server = await vendor({ 'POST /oauth/access_token': codeRefused });
    await using other = await vendor({ 'GET /access_token': tokenRefused, 'GET /refresh_access_token': tokenRefused });
    const failures = [
      [await failureOf(connect.finish(callback, server.client)), [callback.code, application.secret]],
      [await failureOf(connect.finish(callback, other.client)), [application.secret, 'short-token-1']],
      [await failureOf(refreshed(other)), [credentials.accessToken]],
    ] as const;
    for (const [failure, secrets] of failures) {
      expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('rejected the sign-in') });
      expectNoSecret(failure, secrets);
    }
  });
});
