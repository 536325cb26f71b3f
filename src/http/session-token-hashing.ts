import { createHash } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters';

/**
 * Keeps only the SHA-256 of session tokens in the database, so that whoever reads it cannot sign in with what it finds.
 * better-auth 1.7 has no option for this, but builds everything on its adapter, which a plugin may replace at the start.
 * Tokens are 32 random characters: a plain hash of one cannot be guessed back.
 */
export function sessionTokenHashing(): BetterAuthPlugin {
  return {
    id: 'hashed-session-tokens',
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

/** The same adapter, which takes tokens, stores hashes, and gives back the tokens that it was asked for. */
function hashing(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create<T extends Record<string, unknown>, R = T>(request: Parameters<typeof adapter.create<T, R>>[0]) {
      const { token } = request.data as { token?: unknown };
      if (request.model !== 'session' || typeof token !== 'string') return adapter.create<T, R>(request);
      const row = await adapter.create<T, R>({ ...request, data: { ...request.data, token: hashToken(token) } });
      return { ...row, token };
    },
    findOne: async (request) => shown(request, await adapter.findOne(hidden(request))),
    findMany: async <T>(request: Parameters<typeof adapter.findMany<T>>[0]) =>
      (await adapter.findMany<T>(hidden(request))).map((row) => shown(request, row)),
    count: (request) => adapter.count(hidden(request)),
    update: async (request) => shown(request, await adapter.update(hidden(request))),
    updateMany: (request) => adapter.updateMany(hidden(request)),
    delete: (request) => adapter.delete(hidden(request)),
    deleteMany: (request) => adapter.deleteMany(hidden(request)),
    consumeOne: async (request) => shown(request, await adapter.consumeOne(hidden(request))),
    incrementOne: async (request) => shown(request, await adapter.incrementOne(hidden(request))),
  };
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

interface Request {
  model: string;
  where?: Where[] | undefined;
}

/** What goes to the database: hashes in place of tokens. */
function hidden<R extends Request>(request: R): R {
  if (request.model !== 'session' || !request.where) return request;
  const where = request.where.map((condition) => {
    if (condition.field !== 'token') return condition;
    const { value } = condition;
    return {
      ...condition,
      value: Array.isArray(value) ? value.map((one) => hashToken(`${one}`)) : hashToken(`${value}`),
    };
  });
  return { ...request, where };
}

/** What came back: the token in place of its hash, where the request named it. better-auth puts it into the next cookie. */
function shown<T>({ model, where = [] }: Request, row: T): T {
  if (model !== 'session' || row === null || typeof row !== 'object' || !('token' in row)) return row;
  const asked = where
    .filter(({ field }) => field === 'token')
    .flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
  const token = asked.find((one) => hashToken(`${one}`) === row.token);
  return token === undefined ? row : { ...row, token };
}
