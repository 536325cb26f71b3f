import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Problem, type ProblemKey } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { PlanKey } from '../lib/plans.ts';
import type { AuthNeeds } from './better-auth.ts';
import type { Common } from './openapi.ts';

/** The user who is signed in to the dashboard. */
export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly plan: PlanKey;
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session;
    sessionId: string;
  }
}

/** The errors of every route behind a session. */
export const sessionAccess: Common = {
  security: ['session', 'accessToken'],
  problems: ['session_required', 'account_on_hold', 'origin_not_allowed', 'rate_limit_exceeded'],
};

/** Loaded at the first request to the dashboard, because it takes 40 MB, which a service without a dashboard does not need. */
const loadAuth = () => import('./better-auth.ts');

async function authOf(app: AuthNeeds) {
  const { betterAuthOf } = await loadAuth();
  return betterAuthOf(app);
}

interface Needs extends AuthNeeds {
  clock: Clock;
  config: { readonly corsOrigins: readonly string[] };
}

/** Requires a valid session, by cookie or as `Authorization: Bearer <accessToken>`, and sets `request.session`. */
export function requireSession(app: Needs): onRequestAsyncHookHandler {
  const checkOrigin = requireOwnOrigin(app);
  return async (request, reply) => {
    const byCookie = bearerOf(request) === undefined;
    if (byCookie) await checkOrigin.call(request.server, request, reply);
    const auth = await authOf(app);
    const { response: found, headers } = await auth.api
      .getSession({ headers: byAccessToken(accessTokenOf(request)), returnHeaders: true })
      .catch(refuse('session_required'));
    // A session in use is prolonged, and the cookie of an ended session is deleted.
    if (byCookie) setCookies(reply, headers);
    if (!found?.user.isActive) throw new Problem('session_required');
    const { heldAt, holdExpiresAt = null, holdReason = null } = found.user;
    if (heldAt && !(holdExpiresAt && holdExpiresAt <= app.clock.now())) {
      throw new Problem('account_on_hold', { holdExpiresAt: holdExpiresAt?.toISOString() ?? null, holdReason });
    }
    request.session = sessionOf(found.user);
    request.sessionId = found.session.id;
  };
}

/**
 * A browser sends our cookie with every request to us, also from the page of another site, but it names the origin of that
 * page. Only our own origin and those on the allowlist may change anything. Clients other than browsers send no origin.
 */
export function requireOwnOrigin({
  publicUrl,
  config,
}: Pick<Needs, 'publicUrl' | 'config'>): onRequestAsyncHookHandler {
  const allowed = new Set([new URL(publicUrl).origin, ...config.corsOrigins]);
  return async ({ method, headers: { origin, host } }) => {
    const changes = method !== 'GET' && method !== 'HEAD';
    if (!changes || origin === undefined || allowed.has(origin)) return;
    if (!URL.canParse(origin) || new URL(origin).host !== host) throw new Problem('origin_not_allowed');
  };
}

/** The user of an access token, which proves that user's consent. Null if the token is not valid. */
export async function userOfAccessToken(app: AuthNeeds, accessToken: string): Promise<Session | null> {
  const headers = byAccessToken(accessToken);
  const auth = await authOf(app);
  const found = await auth.api.getSession({ headers, query: { disableRefresh: true } });
  return found?.user.isActive ? sessionOf(found.user) : null;
}

export interface Credentials {
  email: string;
  password: string;
}

/** Starts a session. An unknown e-mail, a wrong password and an inactive user get the same answer in about the same time. */
export async function signIn(
  app: AuthNeeds,
  { email, password }: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const headers = new Headers({ 'user-agent': request.headers['user-agent'] ?? '' });
  const auth = await authOf(app);
  const signedIn = await auth.api
    .signInEmail({ body: { email, password }, headers, returnHeaders: true })
    .catch(refuse('invalid_credentials'));
  setCookies(reply, signedIn.headers);
  return { accessToken: signedIn.response.token, session: sessionOf(signedIn.response.user) };
}

/** Ends the request's session, if it has one. */
export async function signOut(app: AuthNeeds, request: FastifyRequest, reply: FastifyReply) {
  const credentials = byAccessToken(accessTokenOf(request));
  const auth = await authOf(app);
  const { headers } = await auth.api.signOut({ headers: credentials, returnHeaders: true });
  setCookies(reply, headers);
}

/** Replaces an error of better-auth by ours. better-auth also throws when a session ends while it is being prolonged. */
const refuse =
  (key: ProblemKey) =>
  async (error: unknown): Promise<never> => {
    const { isAPIError } = await loadAuth();
    throw isAPIError(error) && error.statusCode < 500 ? new Problem(key) : error;
  };

/**
 * The header that better-auth expects. The signature of the cookie is not checked: tokens cannot be guessed, and a check would
 * end every session when the sealing key changes. A text with another format, such as an API key, is never accepted.
 */
function byAccessToken(token: string): Headers {
  return new Headers(/^[A-Za-z0-9]{32}$/.test(token) ? { authorization: `Bearer ${token}` } : {});
}

/** A request with an access token does not fall back on the cookie. */
const accessTokenOf = (request: FastifyRequest) => bearerOf(request) ?? cookieTokenOf(request);

const bearerOf = ({ headers }: FastifyRequest) => /^bearer\b(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();

/** `crier.session_token=<token>.<signature>`, with the prefix `__Secure-` over https. */
function cookieTokenOf({ headers: { cookie = '' } }: FastifyRequest): string {
  return /(?:^|;\s*)(?:__Secure-)?crier\.session_token=([A-Za-z0-9]+)/.exec(cookie)?.[1] ?? '';
}

function setCookies(reply: FastifyReply, headers: Headers) {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie);
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  plan?: string | null | undefined;
}

const sessionOf = ({ id, email, name, plan }: UserRow): Session => ({ userId: id, email, name, plan: plan as PlanKey });
