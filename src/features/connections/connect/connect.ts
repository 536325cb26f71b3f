import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { parseUrl } from '../../../foundation/lib/parse-url.ts';
import { seal, unseal } from '../../../foundation/lib/seal.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { connectables } from '../../../platforms/index.ts';
import { platformClient, secretsOf } from '../../../platforms/kit/http/client.ts';
import { type Connectable, type Grant, PlatformError, safeAccount } from '../../../platforms/kit/index.ts';
import { ownerActor } from '../../audit/actors.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { requireShort } from '../credentials/stored-credentials.ts';
import { type ConsentAnswer, consentRefusal } from './consent-refusal.ts';
import { findChoice, insertChoice, insertFlow, takeChoice, takeFlow } from './flow-queries.ts';
import { type Owner, requireLiveOwner } from './live-owner.ts';
import { shownAddress } from './shown-address.ts';
import { storeGrants } from './store-grants.ts';

export type ConnectApp = Pick<
  App,
  'db' | 'clock' | 'newId' | 'platformAccess' | 'sealingKeys' | 'publicUrl' | 'log' | 'config' | 'sandboxUrl'
>;
/** How long a user may stay on the consent page, and how long they may take to choose an account. */
export const flowMs = 15 * 60_000;

export type Connected =
  | { connected: { platformId: string; handle: string }[] }
  | { choice: { id: string; platform: string; accounts: OfferedAccount[] } };
export interface OfferedAccount {
  accountId: string;
  handle: string;
  displayName: string;
  avatarUrl: string | null;
}

/** The platforms that can be connected, with the fields of their forms. */
export function listConnectables({ platformAccess, sandboxUrl }: Pick<App, 'platformAccess' | 'sandboxUrl'>) {
  return Object.values(connectables).map(({ id, name, shownName = name, connect }) => ({
    platform: id,
    name: shownName,
    kind: connect.kind,
    available:
      connect.kind === 'form' ||
      connect.ownApplication === true ||
      sandboxUrl !== null ||
      id in platformAccess.applications,
    fields: connect.fields ? (z.toJSONSchema(connect.fields, { io: 'input' }) as Record<string, Json>) : null,
  }));
}

/** The URL of a consent page. Its state belongs to the browser that requested it. */
export interface Consent {
  url: string;
  state: string;
}

interface Start {
  /** Appended to the state. */
  mark?: string;
  /** Called before requests to a server that the user named. Throws if there were too many. */
  countStart?(): Promise<void>;
}

/** Returns the URL of the consent page for OAuth, or the outcome for a form. */
export async function startConnect(
  app: ConnectApp,
  who: Owner,
  platform: string,
  values: Record<string, unknown>,
  { mark = '', countStart }: Start = {},
): Promise<Consent | Connected> {
  const connectable = connectableFor(platform);
  const { connect } = connectable;
  const fields = readFields(connect.fields, values);
  if (connect.serverOfUser) await countStart?.();
  const client = platformClient(
    app.platformAccess,
    connectable.id,
    AbortSignal.timeout(app.platformAccess.timeoutMs),
    connect.fields ? secretsOf(connect.fields, fields) : [],
  );
  if (connect.kind === 'form') {
    const grants = await orProblem(() => connect.finish(fields, client));
    return saveGrants(app, who, connectable, grants);
  }
  const state = newSecret() + mark;
  const codeVerifier = randomBytes(48).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const request = { redirectUri: redirectUri(app), state, codeChallenge, fields };
  const { url, memo = null } = await orProblem(() => connect.start(request, client));
  const secrets = JSON.stringify({ codeVerifier, fields: fields as Json, memo, issuer: url.origin });
  const expiresAt = new Date(app.clock.now().getTime() + flowMs);
  const sealed = seal(secrets, flowContext(who.userId, platform), app.sealingKeys);
  await begin(app, who, (tx) =>
    insertFlow(tx, hashSecret(state), { ...begunBy(who), platform, secrets: sealed }, expiresAt),
  );
  return { url: app.platformAccess.route(url).href, state };
}

/** If the session or link ends in the meantime, nothing is stored. */
const begin = (app: Pick<App, 'db' | 'clock'>, who: Owner, insert: (tx: Db) => Promise<unknown>) =>
  inLockTurn(who.ownerId ?? who.userId, () =>
    app.db.transaction().execute(async (tx) => {
      await requireLiveOwner(app, tx, who);
      await insert(tx);
    }),
  );

const begunBy = ({ userId, linkHash, session }: Owner) => ({
  userId,
  linkHash: linkHash ?? null,
  sessionId: session?.sessionId ?? null,
});

export const redirectUri = ({ publicUrl }: Pick<App, 'publicUrl'>) => `${publicUrl}/api/v1/connect/callback`;

const Secrets = z.object({
  codeVerifier: z.string(),
  fields: z.record(z.string(), z.unknown()),
  memo: z.json(),
  /** The origin of the consent page. */
  issuer: z.string(),
});

interface Callback extends ConsentAnswer {
  state?: string | undefined;
  code?: string | undefined;
  iss?: string | undefined;
}

/**
 * Handles the return from the consent page. The state must have been created for this user, or in this session for a
 * managed user, and works once.
 */
export async function finishConnect(
  app: ConnectApp,
  person: Owner,
  { state = '', code, iss, ...answer }: Callback,
): Promise<Connected> {
  const flow = await takeFlow(app.db, hashSecret(state), begunBy(person), app.clock.now());
  if (!flow) throw new Problem('connect_state_invalid');
  const who = flow.userId === person.userId ? person : managedBy(person, flow.userId);
  const opened = unseal(flow.secrets, flowContext(flow.userId, flow.platform), app.sealingKeys);
  const { codeVerifier, fields, memo, issuer } = Secrets.parse(JSON.parse(opened));
  // A malicious server can redirect users to the consent page of another one, to get a code from there (RFC 9207).
  if (iss !== undefined && parseUrl(iss)?.origin !== issuer) throw new Problem('connect_issuer_wrong');
  const connectable = connectableFor(flow.platform);
  if (answer.error || !code) throw consentRefusal(app, connectable, answer);
  const { connect } = connectable;
  if (connect.kind !== 'oauth') throw new Problem('connect_state_invalid');
  const client = platformClient(app.platformAccess, connectable.id, AbortSignal.timeout(app.platformAccess.timeoutMs), [
    code,
    codeVerifier,
  ]);
  const callback = { redirectUri: redirectUri(app), code, codeVerifier, fields, memo };
  return saveGrants(app, who, connectable, await orProblem(() => connect.finish(callback, client)));
}

const managedBy = (owner: Owner, userId: string): Owner => ({ ...owner, userId, actor: ownerActor(owner.userId) });

/** A single account is connected directly. If there are several, the user chooses. */
async function saveGrants(app: ConnectApp, who: Owner, { id: platform, name }: Connectable, given: Grant<unknown>[]) {
  await orProblem(async () => {
    for (const { credentials } of given) requireShort(credentials as Json, name);
  });
  const grants = given.map((grant) => ({ ...grant, account: safeAccount(grant.account) }));
  if (grants.length === 0) throw new Problem('connect_nothing_found');
  if (grants.length === 1) return { connected: await storeGrants(app, who, platform, grants as Grant<Json>[]) };
  const id = app.newId();
  const sealed = seal(JSON.stringify(grants), choiceContext(who.userId, id), app.sealingKeys);
  const expiresAt = new Date(app.clock.now().getTime() + flowMs);
  await begin(app, who, (tx) => insertChoice(tx, { ...begunBy(who), id, platform, grants: sealed }, expiresAt));
  return { choice: { id, platform, accounts: grants.map((grant) => offered(app, grant)) } };
}

const offered = (app: Pick<App, 'platformAccess'>, { account }: Grant<unknown>): OfferedAccount => ({
  accountId: account.id,
  handle: account.handle,
  displayName: account.displayName,
  avatarUrl: shownAddress(app, account.avatarUrl),
});

/** The accounts to choose from. Reading them does not consume the choice. */
export async function readChoice(app: ConnectApp, who: Owner, choiceId: string) {
  const choice = await findChoice(app.db, begunBy(who), choiceId, app.clock.now());
  if (!choice) throw new Problem('connect_choice_not_found');
  return {
    platform: choice.platform,
    accounts: openGrants(app, who, choiceId, choice.grants).map((grant) => offered(app, grant)),
  };
}

/** The grants were stored as JSON, so dates are strings. */
const StoredGrants = z.array(
  z.looseObject({ expiresAt: z.coerce.date().nullable(), refreshExpiresAt: z.coerce.date().nullish() }),
);

function openGrants({ sealingKeys }: ConnectApp, { userId }: Owner, choiceId: string, sealed: string) {
  const opened = unseal(sealed, choiceContext(userId, choiceId), sealingKeys);
  return StoredGrants.parse(JSON.parse(opened)) as unknown as Grant<Json>[];
}

export async function chooseAccounts(app: ConnectApp, who: Owner, choiceId: string, accountIds: readonly string[]) {
  const choice = await findChoice(app.db, begunBy(who), choiceId, app.clock.now());
  if (!choice) throw new Problem('connect_choice_not_found');
  const grants = openGrants(app, who, choiceId, choice.grants);
  const chosen = grants.filter(({ account }) => accountIds.includes(account.id));
  if (chosen.length === 0 || chosen.length < new Set(accountIds).size) throw new Problem('connect_choice_invalid');
  // An invalid choice can be repeated. A valid one works once.
  if (!(await takeChoice(app.db, begunBy(who), choiceId, app.clock.now())))
    throw new Problem('connect_choice_not_found');
  return { connected: await storeGrants(app, who, choice.platform, chosen) };
}

function connectableFor(platform: string): Connectable {
  const known: Partial<Record<string, Connectable>> = connectables;
  const found = Object.hasOwn(known, platform) ? known[platform] : undefined;
  if (!found) throw new Problem('connect_platform_unknown', { error: `Unknown platform: ${platform}` });
  return found;
}

/** Longer than any handle, address or password. */
const maxFieldLength = 2_000;

function readFields(schema: z.ZodObject | undefined, values: Record<string, unknown>): Record<string, unknown> {
  const [long] =
    Object.entries(values).find(([, value]) => typeof value === 'string' && value.length > maxFieldLength) ?? [];
  if (long !== undefined) {
    const message = `${long.slice(0, 100)} must be at most ${maxFieldLength.toLocaleString('en-US')} characters long.`;
    throw new Problem('connect_fields_invalid', { error: message, fields: [{ field: long.slice(0, 100), message }] });
  }
  const parsed = (schema ?? z.object({})).safeParse(values);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => {
    const field = path.join('.');
    // Zod's built-in messages are for developers; those of our schemas are for users.
    return { field, message: message.startsWith('Invalid input') ? needed(field, values[field]) : message };
  });
  throw new Problem('connect_fields_invalid', { error: fields[0]?.message, fields });
}

const needed = (field: string, given: unknown) =>
  given === undefined ? `${field} is required. Send it in "fields".` : `${field} must be a text.`;

/** The adapter's message explains why the platform rejected the request and what to do. */
export async function orProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const temporary = !['auth', 'rejected', 'too_large'].includes(error.kind);
    const key = temporary ? 'connect_unavailable' : 'connect_refused';
    throw new Problem(key, { error: error.message, ...(error.reason && { reason: error.reason }) });
  }
}

const flowContext = (userId: string, platform: string) => `oauth flow ${userId} ${platform}`;
const choiceContext = (userId: string, id: string) => `account choice ${userId} ${id}`;
