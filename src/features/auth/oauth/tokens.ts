import { createHash } from 'node:crypto';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { callerNetwork } from '../../../foundation/lib/caller-network.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { userActor } from '../../audit/actors.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { findHold } from '../../users/queries.ts';
import { findUserAccess } from '../access/queries.ts';
import { addApiKey, endApiKey, listApiKeys, type NewKey } from '../api-keys/api-keys.ts';
import { requireClient } from './clients.ts';
import { isRestApi, resourceOf } from './metadata.ts';
import {
  insertRefreshToken,
  lockCode,
  lockRefreshToken,
  lockUserOf,
  markCodeUsed,
  markRefreshTokenUsed,
  type OAuthClient,
  selectKeysOfGrant,
} from './queries.ts';

interface TokenApp extends Pick<App, 'db' | 'clock' | 'newId' | 'publicUrl'> {
  /** The application that sent the request. */
  caller: { ip: string };
}
/** The fields of the form that an application sends to /token. */
export type TokenRequest = Readonly<Record<string, string>>;

export interface Tokens {
  /** An API key. The account lists it among its keys and can revoke it there. */
  access_token: string;
  token_type: 'Bearer';
  refresh_token: string;
  /** The scopes that the user approved, possibly fewer than requested. */
  scope: string;
}

export async function issueTokens(
  core: Omit<TokenApp, 'caller'>,
  request: TokenRequest,
  caller: { ip: string },
): Promise<Tokens> {
  const app = { ...core, caller };
  const client = await requireClient(app, request);
  if (request.grant_type === 'authorization_code') return exchangeCode(app, client, request);
  if (request.grant_type === 'refresh_token') return refresh(app, client, request);
  throw new Problem('oauth_unsupported_grant_type', {
    error_description: 'grant_type must be authorization_code or refresh_token.',
  });
}

/** Creates the key. A code works once: a second use means that it was copied, so everything issued for it ends. */
async function exchangeCode(app: TokenApp, client: OAuthClient, request: TokenRequest): Promise<Tokens> {
  const codeHash = hashSecret(request.code ?? '');
  return inTransaction(app, async (tx) => {
    await lockUserOf(tx, 'oauth_codes', codeHash);
    const approval = await lockCode(tx, codeHash, client.id);
    const now = app.clock.now();
    if (!approval) return invalidGrant('Unknown code.');
    if (approval.usedAt) {
      await endGrant(app, tx, approval.grantId);
      return invalidGrant('The code was already used. Everything granted with it has been revoked.');
    }
    if (approval.expiresAt <= now) return invalidGrant('The code has expired.');
    // OAuth 2.0 repeats redirect_uri here, OAuth 2.1 does not.
    if (approval.redirectUri !== (request.redirect_uri ?? approval.redirectUri))
      return invalidGrant('redirect_uri does not match the one used for the code.');
    if (challengeOf(request.code_verifier) !== approval.codeChallenge) return invalidGrant('code_verifier is wrong.');
    requireResource(app, request.resource, approval.resource);
    if (!(await isOpen(tx, approval)) || (await findHold(tx, approval.userId, now))) return accountClosed();
    await markCodeUsed(tx, codeHash, now);
    return giveTokens(app, tx, client, approval, { name: keyName(app, client, approval), scopes: approval.scopes });
  });
}

/**
 * Replaces the key, keeping its name and limits and whether it ends with a membership, and the refresh token. A refresh token that is used twice has been
 * copied, so everything issued for the grant ends.
 */
async function refresh(app: TokenApp, client: OAuthClient, request: TokenRequest): Promise<Tokens> {
  const tokenHash = hashSecret(request.refresh_token ?? '');
  return inTransaction(app, async (tx) => {
    await lockUserOf(tx, 'oauth_refresh_tokens', tokenHash);
    const token = await lockRefreshToken(tx, tokenHash, client.id);
    if (!token) return invalidGrant('Unknown refresh token.');
    if (token.usedAt) {
      await endGrant(app, tx, token.grantId);
      return invalidGrant('The refresh token was already used. Everything granted with it has been revoked.');
    }
    requireResource(app, request.resource, token.resource);
    if (!(await isActive(tx, token))) return invalidGrant('The API key of this grant has been revoked.');
    if (!(await isOpen(tx, token))) return accountClosed();
    await markRefreshTokenUsed(tx, tokenHash, app.clock.now());
    const ended = await endApiKey(app, tx, token.userId, token.keyId, userActor(token.userId, app.caller));
    const { name, scopes, expiresAt, allowedAddresses, duringMembership: endsWithMembership } = ended;
    return giveTokens(app, tx, client, token, { name, scopes, expiresAt, allowedAddresses, endsWithMembership });
  });
}

interface Grant {
  grantId: string;
  userId: string;
  resource: string;
}

/** The id distinguishes applications that registered the same name. */
const keyName = (app: TokenApp, { id, name }: OAuthClient, { resource }: Grant) =>
  isRestApi(app, resource) ? name : `MCP (${name} #${id.slice(-6)})`;

async function giveTokens(app: TokenApp, tx: Db, client: OAuthClient, grant: Grant, wanted: NewKey): Promise<Tokens> {
  const { grantId, userId, resource } = grant;
  const granted = { ...wanted, application: client.name, isForMcp: !isRestApi(app, resource) };
  const made = addApiKey(app, tx, userId, granted, userActor(userId, app.caller));
  const key = await made.catch((error: unknown) => {
    throw error instanceof Problem ? accessDenied(error) : error;
  });
  const refreshToken = newSecret();
  const row = { grantId, clientId: client.id, userId, keyId: key.id, resource };
  await insertRefreshToken(tx, hashSecret(refreshToken), row, app.clock.now());
  const scope = key.scopes.join(' ');
  return { access_token: key.rawKey, token_type: 'Bearer', refresh_token: refreshToken, scope };
}

/** An error that must not roll back the changes of the transaction. */
class Refusal {
  readonly problem: Problem;
  constructor(problem: Problem) {
    this.problem = problem;
  }
}

const invalidGrant = (error_description: string) =>
  new Refusal(new Problem('oauth_invalid_grant', { error_description }));

/** Keys that exist keep working during a hold, so it does not end a refresh. */
const isOpen = async (tx: Db, { userId }: Grant) => (await findUserAccess(tx, userId, null))?.ownerActive === true;

const accountClosed = () => invalidGrant('The account is deactivated or on hold.');

async function inTransaction(app: TokenApp, work: (tx: Db) => Promise<Tokens | Refusal>): Promise<Tokens> {
  // Anyone can send the same code or token again and again, and each of them waits for its user's lock.
  const outcome = await inLockTurn(callerNetwork(app.caller.ip), () => app.db.transaction().execute(work));
  if (outcome instanceof Refusal) throw outcome.problem;
  return outcome;
}

/** The account may not create another key, or any key at all. */
function accessDenied(problem: Problem): Problem {
  if (problem.status === 429) return problem;
  return new Problem('oauth_access_denied', { error_description: String(problem.body.error), code: problem.code });
}

const isActive = async (tx: Db, { userId, keyId }: { userId: string; keyId: string }) =>
  (await listApiKeys({ db: tx }, userId)).some(({ id }) => id === keyId);

async function endGrant(app: TokenApp, tx: Db, grantId: string) {
  for (const { userId, keyId } of await selectKeysOfGrant(tx, grantId)) {
    await endApiKey(app, tx, userId, keyId, userActor(userId, app.caller));
  }
}

function requireResource(app: TokenApp, asked: string | undefined, granted: string) {
  if (asked === undefined || resourceOf(app, asked) === granted) return;
  throw new Problem('oauth_invalid_target', { error_description: 'The approval was given for another resource.' });
}

/** PKCE with S256 (RFC 7636). */
function challengeOf(verifier = ''): string | null {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : null;
}
