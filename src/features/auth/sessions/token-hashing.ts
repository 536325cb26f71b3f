import { createHash } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters';

/**
 * Stores only the SHA-256 of session tokens, so that someone who reads the database cannot sign in with its content.
 * better-auth 1.7 has no option for this, but all its database access goes through an adapter, which a plugin can
 * replace. Tokens have 32 random characters, so a plain hash without salt cannot be reversed.
 */
export function sessionTokenHashing(): BetterAuthPlugin {
  return {
    id: 'session-token-hashing',
    init: ({ adapter }) => ({
      context: {
        adapter: {
          ...hashing(adapter),
          transaction: (work) => adapter.transaction((tx) => work(hashing(tx))),
        } satisfies DBAdapter,
      },
    }),
  };
}

/** Wraps the adapter: stores hashes instead of tokens, and returns the tokens that the request contained. */
function hashing(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create<T extends Record<string, unknown>, R = T>(request: Parameters<typeof adapter.create<T, R>>[0]) {
      const { token } = request.data as { token?: unknown };
      if (request.model !== 'session' || typeof token !== 'string') return adapter.create<T, R>(request);
      const row = await adapter.create<T, R>({ ...request, data: { ...request.data, token: hashSessionToken(token) } });
      return { ...row, token };
    },
    findOne: async (request) => withToken(request, await adapter.findOne(withHashes(request))),
    findMany: async <T>(request: Parameters<typeof adapter.findMany<T>>[0]) =>
      (await adapter.findMany<T>(withHashes(request))).map((row) => withToken(request, row)),
    count: (request) => adapter.count(withHashes(request)),
    update: async (request) => withToken(request, await adapter.update(withHashes(request))),
    updateMany: (request) => adapter.updateMany(withHashes(request)),
    delete: (request) => adapter.delete(withHashes(request)),
    deleteMany: (request) => adapter.deleteMany(withHashes(request)),
    consumeOne: async (request) => withToken(request, await adapter.consumeOne(withHashes(request))),
    incrementOne: async (request) => withToken(request, await adapter.incrementOne(withHashes(request))),
  };
}

export const hashSessionToken = (token: string) => createHash('sha256').update(token).digest('hex');

interface Request {
  model: string;
  where?: Where[] | undefined;
}

/** The request with hashes instead of tokens. */
function withHashes<R extends Request>(request: R): R {
  if (request.model !== 'session' || !request.where) return request;
  const where = request.where.map((condition) => {
    if (condition.field !== 'token') return condition;
    const { value } = condition;
    return {
      ...condition,
      value: Array.isArray(value) ? value.map((one) => hashSessionToken(`${one}`)) : hashSessionToken(`${value}`),
    };
  });
  return { ...request, where };
}

/**
 * The row with the token instead of its hash, if the request contained it. better-auth puts it into the next cookie.
 */
function withToken<T>({ model, where = [] }: Request, row: T): T {
  if (model !== 'session' || row === null || typeof row !== 'object' || !('token' in row)) return row;
  const asked = where
    .filter(({ field }) => field === 'token')
    .flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
  const token = asked.find((one) => hashSessionToken(`${one}`) === row.token);
  return token === undefined ? row : { ...row, token };
}
