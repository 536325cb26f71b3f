import { z } from 'zod';
import { type AccountStats, type Context, maxListBytes, PlatformError, type PostCounts } from '../kit/index.ts';
import { AccountCounts, type Credentials, call, StatusCounts, signedIn } from './api.ts';

type Ctx = Context<Credentials>;

export const stats: AccountStats<Credentials> = {
  access: 'account',
  postsPerCall: 20,

  async posts(ids, ctx) {
    const statuses = ids.length === 1 ? null : await orNull(readMany(ids, ctx));
    return countsOf(statuses ?? (await readEach(ids, ctx)));
  },

  async profile(ctx) {
    const path = '/api/v1/accounts/verify_credentials';
    const counts = await call(AccountCounts, { ...signedIn(ctx), path }, ctx);
    return { followers: counts.followers_count, following: counts.following_count, posts: counts.statuses_count };
  },
};

/** The server omits deleted statuses. */
function readMany(ids: readonly string[], ctx: Ctx): Promise<StatusCounts[]> {
  const request = { path: '/api/v1/statuses', query: { 'id[]': ids }, maxAnswerBytes: maxListBytes };
  return call(z.array(StatusCounts), { ...signedIn(ctx), ...request }, ctx);
}

/** For a single status, and for servers before 4.3 and forks, which cannot list several. */
async function readEach(ids: readonly string[], ctx: Ctx): Promise<StatusCounts[]> {
  const found: StatusCounts[] = [];
  for (const id of ids) {
    const path = `/api/v1/statuses/${encodeURIComponent(id)}`;
    const status = await orNull(call(StatusCounts, { ...signedIn(ctx), path }, ctx));
    if (status) found.push(status);
  }
  return found;
}

/** Some forks return Method Not Allowed, because this path only accepts new statuses there. */
const missing = new Set([404, 405, 410]);

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PlatformError && missing.has(error.status ?? 0)) return null;
    throw error;
  }
}

const countsOf = (statuses: readonly StatusCounts[]) =>
  new Map(
    statuses.map((status): [string, PostCounts] => [
      status.id,
      {
        reactions: status.favourites_count,
        comments: status.replies_count,
        reposts: status.reblogs_count,
        quotes: status.quotes_count,
        // Mastodon does not publish the number of bookmarks.
        saves: null,
      },
    ]),
  );
