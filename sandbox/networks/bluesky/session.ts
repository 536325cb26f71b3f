import { type Answer, empty, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { findActor } from './accounts.ts';
import { invalid, refuse } from './errors.ts';
import { holds } from './hosts.ts';
import { didDocument } from './identity.ts';
import { readInput, refuseInput } from './input.ts';
import { flag, text } from './lexicon.ts';
import { refuseTakenDown, requireToken, signIn } from './sign-in.ts';
import { endSession, openSession, rotate } from './tokens.ts';

/** The password of everyone's account itself. All have a second factor, so it alone opens nothing. */
export const mainPassword = 'the-main-password';

export function createSession(call: Call): Answer {
  const { identifier, password } = readInput(
    call,
    { identifier: text(), password: text() },
    { authFactorToken: text(), allowTakendown: flag },
  );
  const account = findByIdentifier(call, String(identifier));
  if (!account || !holds(call.host, account)) refuseLogin();
  if (password === mainPassword) {
    refuse(401, 'AuthFactorTokenRequired', 'A sign in code has been sent to your email address');
  }
  // Whoever is taken down cannot get in with an app password, and is not told why.
  if (account.suspended || !isAppPassword(call, account, String(password))) refuseLogin();
  return json({ ...openSession(call.sandbox, account), ...describe(account) });
}

/** Both tokens are replaced. */
export function refreshSession(call: Call): Answer {
  refuseInput(call);
  const { token, account } = requireToken(call, 'refresh');
  if (account.suspended) refuseTakenDown();
  const session = rotate(call.sandbox, account, token) ?? invalid('Token has been revoked', 'ExpiredToken');
  return json({ ...session, ...describe(account) });
}

export function getSession(call: Call): Answer {
  const account = signIn(call);
  if (account.suspended) invalid(`Could not find user info for account: ${account.id}`);
  return json(describe(account));
}

export function deleteSession(call: Call): Answer {
  refuseInput(call);
  endSession(call.sandbox, requireToken(call, 'refresh').token);
  return empty(200);
}

function describe(account: Account) {
  return {
    did: account.id,
    didDoc: didDocument(account),
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
