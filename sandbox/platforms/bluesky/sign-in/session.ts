import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { findActor } from '../accounts.ts';
import { invalid, refuse } from '../errors.ts';
import { holdsAccount } from '../hosts.ts';
import { ownDocument } from '../identity.ts';
import { readInput, refuseInput } from '../input.ts';
import { flag, text } from '../repo/lexicon.ts';
import { authenticate, refuseTakenDown, requireToken } from './authenticate.ts';
import { issueTokens, refreshTokens } from './tokens.ts';

/** The main password of every account. Every account has a second factor, so this password alone is never enough. */
export const mainPassword = 'the-main-password';

export function createSession(call: Call): HttpResponse {
  const { identifier, password } = readInput(
    call,
    { identifier: text(), password: text() },
    { authFactorToken: text(), allowTakendown: flag },
  );
  const account = findByIdentifier(call, String(identifier));
  if (!account || !holdsAccount(call.host, account)) refuseLogin();
  if (password === mainPassword) {
    refuse(401, 'AuthFactorTokenRequired', 'A sign in code has been sent to your email address');
  }
  // The vendor does not reveal that the account was taken down.
  if (account.suspended || !isAppPassword(call, account, String(password))) refuseLogin();
  return json({ ...issueTokens(call.sandbox, account), ...describe(account) });
}

export function refreshSession(call: Call): HttpResponse {
  refuseInput(call);
  const { token, account } = requireToken(call, 'refresh');
  if (account.suspended) refuseTakenDown();
  const session = refreshTokens(call.sandbox, account, token) ?? invalid('Token has been revoked', 'ExpiredToken');
  return json({ ...session, ...describe(account) });
}

export function getSession(call: Call): HttpResponse {
  const account = authenticate(call);
  if (account.suspended) invalid(`Could not find user info for account: ${account.id}`);
  return json(describe(account));
}

function describe(account: Account) {
  return {
    did: account.id,
    didDoc: ownDocument(account),
    handle: account.handle,
    email: account.data.email,
    emailConfirmed: account.data.emailConfirmed,
    emailAuthFactor: true,
    active: true,
  };
}

function findByIdentifier(call: Call, identifier: string): Account | undefined {
  if (!identifier.includes('@')) return findActor(call.sandbox, identifier.toLowerCase());
  const everyone = call.sandbox.store.accounts.list('bluesky');
  return everyone.find(({ data }) => data.email === identifier.toLowerCase());
}

function isAppPassword(call: Call, account: Account, password: string): boolean {
  const { tokens } = call.sandbox.store;
  const token = tokens.find('bluesky', password);
  return token?.kind === 'app' && token.accountId === account.id && isPasswordShaped(password) && tokens.isAlive(token);
}

function isPasswordShaped(password: string): boolean {
  return /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/.test(password);
}

function refuseLogin(): never {
  refuse(401, 'AuthenticationRequired', 'Invalid identifier or password');
}
