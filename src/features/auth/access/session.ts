import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../../app.ts';
import type { PlanKey } from '../../../config/plans.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { cookieOf } from '../../../foundation/http/cookies.ts';
import type { Common } from '../../../foundation/http/openapi/openapi.ts';
import { countingRefusals } from '../../../foundation/http/rate-limits/rate-limits.ts';
import { isWrite } from '../../../foundation/http/scopes.ts';
import { parseUrl } from '../../../foundation/lib/parse-url.ts';
import { requireStaying } from '../../users/leaving.ts';
import { inPasswordTurn } from '../passwords/passwords.ts';
import type { AuthApp } from '../sessions/better-auth.ts';
import { callerOf } from '../sessions/caller.ts';
import type { SessionCredential } from './api-key.ts';
import { deleteExpiredSessions, findSession, updateLastUse } from './queries.ts';

/** The user who is signed in to the dashboard. */
export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly plan: PlanKey;
}

export interface CurrentSession extends Session {
  readonly sessionId: string;
  readonly signedInAt: Date;
  /** When the account will be erased. Null if it stays. */
  readonly deletionAt: Date | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    session: CurrentSession;
  }
  interface FastifyContextConfig {
    /** The route also works for a user whose account will be erased, although it changes something. */
    whileLeaving?: boolean;
  }
}

/**
 * After this time a user must sign in again, no matter how often the session is used. Unused sessions expire after a
 * week.
 */
export const maxSessionMs = 30 * 86_400_000;
const lastUseMs = 60_000;

/** The errors of every route that requires a session. */
export const sessionAccess: Common = {
  security: ['session', 'accessToken'],
  problems: [
    'session_required',
    'account_on_hold',
    'account_being_deleted',
    'origin_not_allowed',
    'rate_limit_exceeded',
  ],
};

/**
 * Loaded on the first request to the dashboard, because it takes 40 MB that a service without a dashboard does not
 * need.
 */
const loadAuth = () => import('../sessions/better-auth.ts');

export async function authOf(app: AuthApp) {
  const { betterAuthOf } = await loadAuth();
  return betterAuthOf(app);
}

/** Requires a valid session, by cookie or as `Authorization: Bearer <accessToken>`, and sets `request.session`. */
export function requireSession(app: AuthApp & Pick<App, 'config'>): onRequestAsyncHookHandler {
  const checkOrigin = requireOwnOrigin(app);
  return countingRefusals(async (request, reply) => {
    const byCookie = bearerOf(request) === undefined;
    if (byCookie) await checkOrigin.call(request.server, request, reply);
    const auth = await authOf(app);
    const { response: found, headers } = await auth.api
      .getSession({ headers: byAccessToken(accessTokenOf(app, request)), returnHeaders: true })
      .catch(refuse('session_required'));
    // A session in use is extended, and the cookie of an ended session is deleted.
    if (byCookie) setCookies(reply, headers);
    if (!found?.user.isActive) throw new Problem('session_required');
    const { id: sessionId, createdAt: signedInAt, lastUsedAt } = found.session;
    const now = app.clock.now();
    if (isTooOld(signedInAt, now)) {
      await signOut(app, request, reply);
      throw new Problem('session_required');
    }
    requireNoOwnHold(found.user, now);
    const { config } = request.routeOptions;
    if (isWrite(request.method, config) && !config.whileLeaving) requireStaying(found.user);
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= lastUseMs) await updateLastUse(app.db, sessionId, now);
    request.letInAt = now;
    request.session = { ...sessionOf(found.user), sessionId, signedInAt, deletionAt: found.user.deletionAt ?? null };
  });
}

interface Hold {
  heldAt?: Date | null | undefined;
  holdExpiresAt?: Date | null | undefined;
  holdReason?: string | null | undefined;
}

function requireNoOwnHold({ heldAt, holdExpiresAt = null, holdReason = null }: Hold, now: Date) {
  if (!heldAt || (holdExpiresAt && holdExpiresAt <= now)) return;
  throw new Problem('account_on_hold', { holdExpiresAt: holdExpiresAt?.toISOString() ?? null, holdReason });
}

/**
 * Requires that a session which authorized a request is still valid, according to the current state of the database.
 */
export async function requireSessionNow(db: Db, { userId, sessionId }: SessionCredential, now: Date): Promise<void> {
  const found = await findSession(db, userId, sessionId);
  if (!found?.isActive || isTooOld(found.signedInAt, now)) throw new Problem('session_required');
  requireNoOwnHold(found, now);
}

const isTooOld = (signedInAt: Date, now: Date) => now.getTime() - signedInAt.getTime() >= maxSessionMs;

export const pruneSessions = ({ db, clock }: Pick<AuthApp, 'db' | 'clock'>) =>
  deleteExpiredSessions(db, new Date(clock.now().getTime() - maxSessionMs));

/**
 * A browser sends our cookie with every request to us, even from another site's page, but includes the origin of that
 * page. Only our own origin and those on the allowlist may change anything. Clients other than browsers send no
 * origin.
 */
export function requireOwnOrigin({ publicUrl, config }: Pick<App, 'publicUrl' | 'config'>): onRequestAsyncHookHandler {
  const allowed = new Set([new URL(publicUrl).origin, ...config.corsOrigins]);
  return async ({ method, protocol, host, headers: { origin } }) => {
    const changes = method !== 'GET' && method !== 'HEAD';
    if (!changes || origin === undefined || allowed.has(origin)) return;
    // The address that this browser used to reach us: a machine can have more names than the public one.
    if (parseUrl(`${protocol}://${host}`)?.origin !== origin) throw new Problem('origin_not_allowed');
  };
}

/** The user of an access token. The token proves that user's consent. Null if the token is invalid. */
export async function userOfAccessToken(app: AuthApp, accessToken: string): Promise<Session | null> {
  const headers = byAccessToken(accessToken);
  const auth = await authOf(app);
  const found = await auth.api.getSession({ headers, query: { disableRefresh: true } });
  if (!found?.user.isActive || isTooOld(found.session.createdAt, app.clock.now())) return null;
  return sessionOf(found.user);
}

export interface Credentials {
  email: string;
  password: string;
}

export interface SignedIn {
  accessToken: string;
  session: Session;
}
/** The password is correct, and a code is still required. There is no session yet. */
export interface CodeRequired {
  codeRequiredFrom: string;
}

/**
 * Starts a session. An unknown email, a wrong password and an inactive user get the same response in about the same
 * time.
 */
export async function signIn(
  app: AuthApp,
  { email, password }: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | CodeRequired> {
  const auth = await authOf(app);
  try {
    const attempt = { body: { email, password }, headers: callerOf(request), returnHeaders: true } as const;
    return signedInAs(reply, await inPasswordTurn(request.ip, () => auth.api.signInEmail(attempt)));
  } catch (error) {
    const userId = await secondFactorUser(error);
    return userId ? { codeRequiredFrom: userId } : refuse('invalid_credentials')(error);
  }
}

/** Starts a session for a user who has entered the password and a code. */
export async function startProvenSession(
  app: AuthApp,
  userId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const auth = await authOf(app);
  const started = await auth.api
    .startProvenSession({ body: { userId }, headers: callerOf(request), returnHeaders: true })
    .catch(refuse('invalid_credentials'));
  return signedInAs(reply, started);
}

/** Whether this is the password of the signed-in user. */
export async function isOwnPassword(app: AuthApp, password: string, request: FastifyRequest): Promise<boolean> {
  const headers = byAccessToken(accessTokenOf(app, request));
  const auth = await authOf(app);
  const check = () => auth.api.verifyPassword({ body: { password }, headers });
  const checked = await inPasswordTurn(request.ip, check).catch(async (error: unknown) => {
    if (!(await isAuthError(error))) throw error;
    return { status: false };
  });
  return checked.status;
}

/** Ends the request's session, if it has one, and returns its user. */
export async function signOut(app: AuthApp, request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
  const credentials = byAccessToken(accessTokenOf(app, request));
  const auth = await authOf(app);
  const found = await auth.api.getSession({ headers: credentials, query: { disableRefresh: true } });
  const { headers } = await auth.api.signOut({ headers: credentials, returnHeaders: true });
  setCookies(reply, headers);
  return found?.user.id ?? null;
}

export function signedInAs(
  reply: FastifyReply,
  started: { headers: Headers; response: { token: string; user: UserRow } },
): SignedIn {
  setCookies(reply, started.headers);
  return { accessToken: started.response.token, session: sessionOf(started.response.user) };
}

async function secondFactorUser(error: unknown): Promise<string | null> {
  const { isAPIError, secondFactorCode } = await loadAuth();
  if (!isAPIError(error) || error.body?.code !== secondFactorCode) return null;
  return `${error.body.userId}`;
}

/** Whether the error is a response of better-auth instead of a bug. */
export async function isAuthError(error: unknown): Promise<boolean> {
  const { isAPIError } = await loadAuth();
  return isAPIError(error);
}

/**
 * Replaces an error of better-auth with ours. better-auth also throws when a session ends while it is being extended.
 */
const refuse =
  (key: ProblemKey) =>
  async (error: unknown): Promise<never> => {
    const { isAPIError } = await loadAuth();
    throw isAPIError(error) && error.statusCode < 500 ? new Problem(key) : error;
  };

/**
 * The header that better-auth expects. The signature of the cookie is not checked: tokens cannot be guessed, and a
 * check would end every session when the sealing key changes. A value in another format, such as an API key, is never
 * accepted.
 */
export function byAccessToken(token: string): Headers {
  return new Headers(isToken(token) ? { authorization: `Bearer ${token}` } : {});
}

const isToken = (text: string) => /^[A-Za-z0-9]{32}$/.test(text);

/** Whether the request contains anything that may be a session token. An API key does not count. */
export const hasSessionToken = (app: Pick<AuthApp, 'publicUrl'>, request: FastifyRequest) =>
  isToken(accessTokenOf(app, request));

/** A request with an access token does not fall back to the cookie. */
export const accessTokenOf = (app: Pick<AuthApp, 'publicUrl'>, request: FastifyRequest) =>
  bearerOf(request) ?? cookieTokenOf(app, request);

const bearerOf = ({ headers }: FastifyRequest) => /^bearer\b(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();

/** The cookie is `<token>.<signature>`. */
const cookieTokenOf = (app: Pick<AuthApp, 'publicUrl'>, request: FastifyRequest) =>
  /^[A-Za-z0-9]*/.exec(cookieOf(app, request, 'session_token') ?? '')?.[0] ?? '';

export function setCookies(reply: FastifyReply, headers: Headers) {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie);
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  plan?: string | null | undefined;
}

const sessionOf = ({ id, email, name, plan }: UserRow): Session => ({ userId: id, email, name, plan: plan as PlanKey });
