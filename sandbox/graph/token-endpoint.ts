import { asText } from '../http/coerce.ts';
import { type HttpResponse, json } from '../http/http-response.ts';
import { oauthApp } from '../oauth/oauth-app.ts';
import type { Call, Sandbox } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import { type Code, randomName } from '../store/apps.ts';
import type { NewToken, Token } from '../store/tokens.ts';
import { checkToken } from './authenticate.ts';
import { oauthError, refuse } from './errors.ts';
import { readInput } from './input.ts';
import type { Login } from './login.ts';

export const codeExchangePath = '/oauth/access_token';
export const unknownCode = 'Matching code was not found or was already used';

const hourMs = 60 * 60_000;
const codeLifeMs = hourMs;
const shortLifeSeconds = 60 * 60;
const longLifeSeconds = 60 * 86_400;
const youngestRefreshMs = 24 * hourMs;

export function exchangeCode(login: Login, call: Call): HttpResponse {
  const input = readInput(call);
  if (asText(input.client_id) !== oauthApp.clientId) return oauthError('Invalid platform app');
  if (asText(input.client_secret) !== oauthApp.clientSecret) return oauthError('Error validating client secret.');
  if (asText(input.grant_type) !== 'authorization_code') return oauthError('Invalid grant_type');
  const code = call.sandbox.store.apps.takeCode(login.platform, asText(input.code));
  if (!code) return oauthError(unknownCode);
  const problem = problemWith(call, code, asText(input.redirect_uri));
  if (problem !== undefined) return oauthError(problem);
  const { accountId, scope } = code;
  const token = issue(login, call.sandbox, { accountId, scope, expiresInSeconds: shortLifeSeconds });
  const body = { access_token: token.token, user_id: accountId, ...login.present(token) };
  // The API returns this id as a number, which can exceed JavaScript's exact integers.
  return { ...json(body), body: JSON.stringify(body).replace(/"user_id":"(\d+)"/, '"user_id":$1') };
}

export function exchangeToken(login: Login, call: Call): HttpResponse {
  const input = readInput(call);
  if (asText(input.grant_type) !== login.grants.exchange) refuse('Unsupported grant_type', { code: 100 });
  if (asText(input.client_secret) !== oauthApp.clientSecret) {
    refuse('Error validating application. Invalid application secret.', { code: 101 });
  }
  const short = findToken(call, asText(input.access_token));
  if (short.data.isLong === true) {
    refuse(
      'Session key invalid. This could be because the session key has an incorrect format, or because the user has revoked this session',
      { code: 452 },
    );
  }
  return presentLong(issueLong(login, call.sandbox, short));
}

/** The token must be at least a day old. The old token stays valid until it expires. */
export function refreshToken(login: Login, call: Call): HttpResponse {
  const input = readInput(call);
  if (asText(input.grant_type) !== login.grants.refresh) refuse('Unsupported grant_type', { code: 100 });
  const old = findToken(call, asText(input.access_token));
  const isYoung = old.createdAt > call.sandbox.now() - youngestRefreshMs && old.data.isSeasoned !== true;
  if (old.data.isLong !== true || isYoung) {
    refuse('The access token cannot be refreshed: it must be long-lived and at least 24 hours old.', { code: 100 });
  }
  return presentLong(issueLong(login, call.sandbox, old));
}

/** Issues a token with every permission that the account grants. It counts as old enough to be refreshed. */
export function issueToken(
  login: Login,
  sandbox: Sandbox,
  account: Account,
  scopes: readonly string[] = login.scopes,
): string {
  const scope = login.granted(account, scopes).join(' ');
  return issueLong(login, sandbox, { accountId: account.id, scope }, true).token;
}

type Grant = Pick<NewToken, 'accountId' | 'scope'>;

function issueLong(login: Login, sandbox: Sandbox, { accountId, scope }: Grant, isSeasoned = false): Token {
  const data = { isLong: true, isSeasoned };
  return issue(login, sandbox, { accountId, scope, expiresInSeconds: longLifeSeconds, data });
}

function issue(login: Login, { store }: Sandbox, token: Grant & Pick<NewToken, 'expiresInSeconds' | 'data'>): Token {
  const name = login.tokenPrefix + randomName(96).replace(/[-_]/g, 'Z');
  return store.tokens.issue({ platform: login.platform, clientId: oauthApp.clientId, token: name, ...token });
}

function problemWith(call: Call, code: Code, redirectUri: string): string | undefined {
  if (code.createdAt <= call.sandbox.now() - codeLifeMs) return 'This authorization code has expired.';
  return code.redirectUri === redirectUri
    ? undefined
    : 'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request';
}

function findToken(call: Call, value: string): Token {
  return checkToken(call, call.sandbox.store.tokens.find(call.platform.id, value));
}

function presentLong({ token }: Token): HttpResponse {
  return json({ access_token: token, token_type: 'bearer', expires_in: longLifeSeconds });
}
