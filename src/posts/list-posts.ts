import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import { clamp } from '../lib/clamp.ts';
import { descriptionOf } from '../platforms/descriptions.ts';
import { readInTurn } from './long-reads.ts';
import { presentListedGroup } from './present.ts';
import { type ListedGroup, type Page, selectPage } from './read-queries.ts';
import type { ListPosts } from './schema.ts';

/** A page of the user's groups. Every parameter has a default; only dates can be invalid. */
export async function listPostGroups(app: Pick<App, 'db' | 'storage'>, who: Who, query: ListPosts) {
  const limit = clamp(query.limit, 20, 1, 100);
  const page = clamp(query.page, 1, 1, Number.MAX_SAFE_INTEGER);
  const wanted: Page = {
    userId: who.userId,
    status: query.status || null,
    platform: query.platform ? platformNamed(query.platform) : null,
    from: dateOf(query.fromDate, 'from_date_invalid'),
    to: dateOf(query.toDate, 'to_date_invalid'),
    sortBy: query.sortBy || 'createdAt',
    ascending: query.sortOrder === 'asc',
    limit,
    // PostgreSQL's integers end here; no list is as long.
    offset: Math.min((page - 1) * limit, 2_147_483_647),
  };
  const { total, groups } = await readInTurn(who.userId, () => selectPage(app.db, wanted), charactersIn);
  const totalPages = Math.ceil(total / limit);
  return {
    success: true as const,
    posts: groups.map((group) => presentListedGroup(app, group)),
    pagination: { page, limit, totalItems: total, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 },
  };
}

const charactersIn = ({ groups }: { groups: readonly ListedGroup[] }) =>
  groups.reduce((sum, { content }) => sum + content.length, 0);

/** An unknown platform is not an error: it matches no post. */
const platformNamed = (name: string) => descriptionOf(name.toLowerCase())?.id ?? '';

/** PostgreSQL cannot represent every earlier JavaScript date, and no post is scheduled before this one. */
const earliest = Date.parse('0001-01-01T00:00:00Z');

function dateOf(text: string | undefined, problem: 'from_date_invalid' | 'to_date_invalid'): Date | null {
  if (!text) return null;
  const time = new Date(text).getTime();
  if (Number.isNaN(time)) throw new Problem(problem);
  return new Date(Math.max(time, earliest));
}
