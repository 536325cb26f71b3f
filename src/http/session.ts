import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Problem, type ProblemKey } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { PlanKey } from '../lib/plans.ts';
import type { AuthNeeds } from './better-auth.ts';
import type { Common } from './openapi.ts';

/** A person at the dashboard. */
export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly plan: PlanKey;
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session;
  }
}

/** What every route behind a session can answer. */
export const sessionAccess: Common = {
  security: ['session', 'accessToken'],
  problems: ['session_required', 'account_on_hold', 'origin_not_allowed'],
};

/** Loaded when somebody first comes to the dashboard: it takes 40 MB, which a service that only publishes can do without. */
const loadAuth = () => import('./better-auth.ts');

async function authOf(app: AuthNeeds) {
  const { betterAuthOf } = await loadAuth();
  return betterAuthOf(app);
}

interface Needs extends AuthNeeds {
  clock: Clock;
  config: { readonly corsOrigins: readonly string[] };
}

/** Lets in requests with a valid session, by cookie or as `Authorization: Bearer <accessToken>`, and says whose it is. */
export function requireSession(app: Needs): onRequestAsyncHookHandler {
  const checkOrigin = requireOwnOrigin(app);
  return async (request, reply) => {
    const byCookie = bearerOf(request) === undefined;
    if (byCookie) await checkOrigin.call(request.server, request, reply);
    const auth = await authOf(app);
    const { response: found, headers } = await auth.api
      .getSession({ headers: byAccessToken(accessTokenOf(request)), returnHeaders: true })
      .catch(refuse('session_required'));
    // It lives on while it is used, and is taken back when it ends.
    if (byCookie) setCookies(reply, headers);
    if (!found?.user.isActive) throw new Problem('session_required');
    const { heldAt, holdExpiresAt = null, holdReason = null } = found.user;
    if (heldAt && !(holdExpiresAt && holdExpiresAt <= app.clock.now())) {
      throw new Problem('account_on_hold', { holdExpiresAt: holdExpiresAt?.toISOString() ?? null, holdReason });
    }
    request.session = sessionOf(found.user);
  };
}

/**
 * Browsers send our cookie along whatever page asks them to, but they also name that page's origin: only our own (under
 * whichever name it was opened), and those on the allowlist, may change anything. Other clients name none.
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

/** Whose access token this is, if it is one: what proves that a user agreed. */
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

/** Starts a session. An unknown e-mail, a wrong password and an inactive user get the same answer, after the same work. */
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

/** better-auth's refusals in our words. It also refuses a session that ends in the very moment in which it is prolonged. */
const refuse =
  (key: ProblemKey) =>
  async (error: unknown): Promise<never> => {
    const { isAPIError } = await loadAuth();
    throw isAPIError(error) && error.statusCode < 500 ? new Problem(key) : error;
  };

/**
 * As better-auth expects it. The cookie counts without its signature, which would end every session with the sealing key
 * and proves nothing: no one guesses a token. What has another shape, such as an API key, opens nothing.
 */
function byAccessToken(token: string): Headers {
  return new Headers(/^[A-Za-z0-9]{32}$/.test(token) ? { authorization: `Bearer ${token}` } : {});
}

/** One of the two, never both: a request that names an access token does not fall back on the cookie. */
const accessTokenOf = (request: FastifyRequest) => bearerOf(request) ?? cookieTokenOf(request);

const bearerOf = ({ headers }: FastifyRequest) => /^bearer\b(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();

/** `crier.session_token=<token>.<signature>`, with a prefix of the browser's own over https. */
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
