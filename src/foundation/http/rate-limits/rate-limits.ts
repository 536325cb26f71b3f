import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, preParsingAsyncHookHandler } from 'fastify';
import type { Db } from '../../db/database.ts';
import { Problem } from '../../errors/index.ts';
import { callerNetwork } from '../../lib/caller-network.ts';
import type { Clock } from '../../time/clock.ts';
import type { Server } from '../server.ts';
import { type RateCounters, rateCounters, windowAt } from './counters.ts';
import { rateLimitRefusals } from './metrics.ts';
import { createPacer, type Pace } from './pacing.ts';

export interface Rate {
  readonly limit: number;
  readonly seconds: number;
  readonly about: string;
  /** Counted exactly, even across concurrent requests in several processes. */
  readonly isExact?: boolean;
  /**
   * Counted per owner, whichever key is used and for whichever managed user: each request makes Crier send one to an
   * address that the owner chose.
   */
  readonly isByOwner?: boolean;
}

/** Rate limits per caller. A caller is an API key with the user it acts for, or a signed-in person. */
export const rates = {
  read: { limit: 3000, seconds: 60, about: 'GET requests' },
  write: { limit: 1200, seconds: 60, about: 'all other requests' },
  validate: { limit: 240, seconds: 60, about: 'validate-post' },
  statistics: { limit: 240, seconds: 60, about: 'statistics' },
  webhookTest: { limit: 60, seconds: 60, about: 'webhook tests', isExact: true, isByOwner: true },
  webhookResend: { limit: 60, seconds: 60, about: 'deliveries sent again', isExact: true, isByOwner: true },
  imageAddress: {
    limit: 60,
    seconds: 3600,
    about: 'comments with an image URL',
    isExact: true,
    isByOwner: true,
  },
  connectStart: {
    limit: 120,
    seconds: 3600,
    about: 'connections started at a server that the user named',
    isExact: true,
    isByOwner: true,
  },
  signUp: { limit: 30, seconds: 60, about: 'sign-ups, per IP address', isExact: true },
  password: { limit: 60, seconds: 3600, about: 'new passwords, and links in emails', isExact: true },
  accountExport: { limit: 20, seconds: 3600, about: 'exports of an account', isExact: true },
  oauthRegistration: { limit: 30, seconds: 3600, about: 'registrations of MCP clients, per IP address' },
  anonymous: { limit: 300, seconds: 60, about: 'requests without valid credentials, per IP address' },
} as const satisfies Record<string, Rate>;
export type RateName = keyof typeof rates;

/** Requests of a caller above this pace are delayed, not refused. Higher than what the rates allow on average. */
export const paces = {
  read: { perSecond: 100, burst: 300 },
  write: { perSecond: 80, burst: 150 },
  anonymous: { perSecond: 50, burst: 100 },
} as const satisfies Partial<Record<RateName, Omit<Pace, 'mostMs'>>>;

/** A caller who continues although every request is refused gets these responses slowly. */
const refusals: Pace = { perSecond: 10, burst: 20, mostMs: 1000 };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts towards this rate in addition to reads or writes. */
    rate?: RateName;
  }
  interface FastifyRequest {
    /**
     * Counts one request of the caller, and throws if it exceeds the limit. Reads are delayed to their pace. `ownerId` is
     * the owner to count for if the caller has no account.
     */
    countRate(name: RateName, ownerId?: string): Promise<void>;
    /**
     * Counts a request without a route or with refused credentials against its address, and throws if it exceeds the
     * limit.
     */
    countRefusal(reply: FastifyReply): Promise<void>;
  }
}

export interface RateLimits {
  /** Counts the requests of authenticated callers. */
  readonly limitCallers: preParsingAsyncHookHandler;
}

/** Counts the requests that this authentication refuses. */
export function countingRefusals(authenticate: onRequestAsyncHookHandler): onRequestAsyncHookHandler {
  return async function counting(request, reply) {
    await authenticate.call(this, request, reply).catch(async (error: unknown) => {
      if (error instanceof Problem && [401, 403].includes(error.status)) await request.countRefusal(reply);
      throw error;
    });
  };
}

export function rateLimits(
  server: Server,
  app: { db: Db; clock: Clock; config: { rateFactor: number | null } },
): RateLimits {
  const { rateFactor } = app.config;
  if (rateFactor === null) {
    server.decorateRequest('countRate', async () => {});
    server.decorateRequest('countRefusal', async () => {});
    return { limitCallers: async () => {} };
  }
  const counters = rateCounters(app.db);
  const pacer = createPacer();
  /** As many requests of a caller wait as its limit allows. Any more would be refused after the wait. */
  async function pace(name: keyof typeof paces, caller: string) {
    const { perSecond } = paces[name];
    const mostMs = (1000 * limitOf(name, rateFactor!)) / perSecond;
    if (await pacer.enter(`${name} ${caller}`, { ...paces[name], mostMs })) return;
    rateLimitRefusals.inc({ rate: name });
    throw new Problem('rate_limit_exceeded', { retryAfterSec: Math.ceil(mostMs / 1000) });
  }
  server.addHook('onClose', () => counters.close());
  const take = (name: RateName, caller: string) => useOf(counters, app, name, caller, rateFactor);
  server.decorateRequest('countRate', async function countRate(name: RateName, ownerId?: string) {
    if (name === 'read') await pace(name, callerOf(this));
    requireLeft(await take(name, countedAs(name, this, ownerId)));
  });
  server.decorateRequest('countRefusal', async function countRefusal(reply: FastifyReply) {
    const network = callerNetwork(this.ip);
    await pace('anonymous', network);
    tell(await take('anonymous', network), reply);
  });
  // The credentials of such a request are never checked.
  server.addHook('onRequest', (request, reply, done) => {
    if (request.is404) request.countRefusal(reply).then(() => done(), done);
    else done();
  });
  return {
    limitCallers: async (request, reply) => {
      const kind = request.method === 'GET' ? 'read' : 'write';
      await pace(kind, callerOf(request));
      const names: RateName[] = [kind];
      if (request.routeOptions.config.rate) names.push(request.routeOptions.config.rate);
      const uses = await Promise.all(names.map((name) => take(name, countedAs(name, request))));
      const [nearest] = uses.toSorted((one, other) => one.left / one.limit - other.left / other.limit);
      if (nearest && nearest.left < 0) await pacer.delay(`refusals ${callerOf(request)}`, refusals);
      if (nearest) tell(nearest, reply);
    },
  };
}

interface Use {
  name: RateName;
  limit: number;
  /** Negative if this request exceeded the limit. */
  left: number;
  endsInSeconds: number;
}

async function useOf(
  counters: RateCounters,
  { clock }: { clock: Clock },
  name: RateName,
  caller: string,
  factor: number,
): Promise<Use> {
  const { seconds, isExact = false }: Rate = rates[name];
  const { endsInSeconds, ...window } = windowAt(`${name} ${caller}`, seconds, clock);
  const limit = limitOf(name, factor);
  const used = isExact ? await counters.countExactly(window) : await counters.count(window, limit);
  return { name, limit, left: limit - used, endsInSeconds };
}

const limitOf = (name: RateName, factor: number) => Math.max(1, Math.round(rates[name].limit * factor));

/** The headers show the limit that is closest to being reached. */
function tell(use: Use, reply: FastifyReply) {
  reply.headers({
    'ratelimit-limit': use.limit,
    'ratelimit-remaining': Math.max(0, use.left),
    'ratelimit-reset': use.endsInSeconds,
  });
  requireLeft(use);
}

function requireLeft({ name, left, endsInSeconds }: Use) {
  if (left >= 0) return;
  rateLimitRefusals.inc({ rate: name });
  throw new Problem('rate_limit_exceeded', { retryAfterSec: endsInSeconds });
}

function countedAs(name: RateName, request: FastifyRequest, ownerId = request.who?.ownerId): string {
  const { isByOwner = false }: Rate = rates[name];
  return isByOwner && ownerId ? `user ${ownerId}` : callerOf(request);
}

/** A user's keys count separately, and so do the users that one key acts for. */
function callerOf({ who, session, headers, ip }: FastifyRequest): string {
  if (session) return `user ${who?.userId ?? session.userId}`;
  // The part before the dot identifies the key and is not secret.
  const [name] = String(headers['x-service-key']).split('.', 1);
  return who ? `key ${name} ${who.userId}` : `address ${callerNetwork(ip)}`;
}
