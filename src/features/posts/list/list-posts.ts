import type { App } from '../../../app.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { readInTurn } from '../../../foundation/http/answers/long-reads.ts';
import type { InputWarning } from '../../../foundation/http/requests/input-warnings.ts';
import { clamp } from '../../../foundation/lib/clamp.ts';
import { inTurns, type Pausable } from '../../../foundation/text/in-turns.ts';
import { searchTerms } from '../../../foundation/text/search-words.ts';
import { descriptionOf } from '../../../platforms/descriptions.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { brandsOf, recheckBrands } from '../../users/brands.ts';
import { splitPlatformId } from '../platform-ids.ts';
import type { ListPosts } from '../schema.ts';
import { cursorOf, earliest, placeOfCursor } from './cursor.ts';
import type { Page } from './page-queries.ts';
import { presentCompactGroup, presentListedGroup } from './present.ts';
import { type CompactGroup, type ListedGroup, selectCompactPage, selectPage, selectUncountedPage } from './queries.ts';
import { findByWords, labelWord } from './word-queries.ts';

const maxLimit = 100;
const maxCompactLimit = 1_000;
const compactLength = 140;
/** Pages of all brands together are numbered only up to here, because each reads all posts before it. */
const maxOfBrands = 1_000;

/**
 * A page of the user's groups with the totals of the contract. A call that uses one of our additions gets no totals,
 * because counting the results of a search or a channel takes as long as listing them all.
 */
export async function listPostGroups(app: Pick<App, 'db' | 'storage' | 'clock'>, who: Who, query: ListPosts) {
  const isOurs = Boolean(
    query.from || query.to || query.channel || query.q || query.label || query.fields || query.brands || query.cursor,
  );
  const statuses = query.status ? [...new Set(query.status.split(','))] : [];
  if (query.status?.includes(',') && !isOurs) throw new Problem('list_status_invalid');
  if (query.brands && query.sortBy === 'updatedAt') throw new Problem('list_sort_invalid');
  const limit = clamp(query.limit, 20, 1, query.fields === 'compact' || query.brands ? maxCompactLimit : maxLimit);
  const number = clamp(query.page, 1, 1, Number.MAX_SAFE_INTEGER);
  const isRange = Boolean(query.from || query.to);
  const sortBy = query.sortBy || (isRange ? 'scheduledTime' : 'createdAt');
  const ascending = query.sortOrder ? query.sortOrder === 'asc' : isRange;
  const wanted: Omit<Page, 'found'> = {
    userId: who.userId,
    statuses,
    platform: query.platform ? platformNamed(query.platform) : null,
    channel: query.channel ? channelNamed(query.channel) : null,
    from: dateOf(query.from, 'list_from_invalid') ?? dateOf(query.fromDate, 'from_date_invalid'),
    to: dateOf(query.to, 'list_to_invalid') ?? dateOf(query.toDate, 'to_date_invalid'),
    sortBy,
    ascending,
    limit,
    // The maximum of PostgreSQL's integer type. No list is that long.
    offset: query.cursor ? 0 : Math.min((number - 1) * limit, 2_147_483_647),
    after: query.cursor ? placeOfCursor(query.cursor, { sortBy, ascending }) : null,
  };
  const read = async () => {
    const found = await search(app.db, who.userId, query);
    return isOurs ? readPage(app, { ...wanted, found }, query.fields) : readCounted(app, { ...wanted, found });
  };
  const { posts, pagination } = query.brands
    ? await readBrands(app, who, wanted, query)
    : await readInTurn<Found>(who.ownerId, read, charactersIn);
  return {
    success: true as const,
    posts,
    pagination: { page: number, limit, hasPrevPage: number > 1 || Boolean(query.cursor), ...pagination },
  };
}

async function search(db: App['db'], userId: string, { q, label }: ListPosts): Promise<Page['found']> {
  if (!q && !label) return null;
  const terms = q ? searchTerms(q) : [];
  // A search that consists only of punctuation finds nothing, regardless of the label.
  if (q && terms.length === 0) return { ids: [] };
  return findByWords(db, userId, label ? [...terms, labelWord(label.normalize('NFC').trim())] : terms);
}

/** The reference documents the limit of compact posts. Full posts have a lower one. */
export function limitWarnings({ limit, fields, brands }: ListPosts): InputWarning[] {
  const asked = Number(limit);
  if (fields === 'compact' || brands || !(asked > maxLimit && asked <= maxCompactLimit)) return [];
  const message = `limit "${limit}" is not valid: it has to be at most ${maxLimit}, or ${maxCompactLimit} with fields=compact. ${maxLimit} was used.`;
  return [{ code: 'INVALID_VALUE', field: 'limit', message }];
}

async function readCounted(app: Pick<App, 'db' | 'storage'>, page: Page) {
  const { total, groups } = await selectPage(app.db, page);
  const totalPages = Math.ceil(total / page.limit);
  const hasNextPage = page.offset + page.limit < total;
  return {
    posts: await inTurns(presentEach(groups, (group) => presentListedGroup(app, group))),
    pagination: { totalItems: total, totalPages, ...next(page, hasNextPage, groups) },
  };
}

/** Reads one group more than fits on the page, to find out whether there is a next page. */
async function readPage(app: Pick<App, 'db' | 'storage'>, page: Page, fields: ListPosts['fields']) {
  const oneMore = { ...page, limit: page.limit + 1 };
  if (fields === 'compact') {
    const found = await selectCompactPage(app.db, oneMore, compactLength);
    const groups = found.slice(0, page.limit);
    const posts = await inTurns(presentEach(groups, (group) => presentCompactGroup(app, group)));
    return { posts, pagination: next(page, found.length > page.limit, groups) };
  }
  const found = await selectUncountedPage(app.db, oneMore);
  const groups = found.slice(0, page.limit);
  const posts = await inTurns(presentEach(groups, (group) => presentListedGroup(app, group)));
  return { posts, pagination: next(page, found.length > page.limit, groups) };
}

/** A post can have a thousand targets. */
function* presentEach<Group, Shown>(groups: readonly Group[], present: (group: Group) => Shown): Pausable<Shown[]> {
  const shown: Shown[] = [];
  for (const group of groups) {
    shown.push(present(group));
    yield;
  }
  return shown;
}

/** Whether and where the list continues. */
function next(order: Pick<Page, 'sortBy' | 'ascending'>, hasNextPage: boolean, groups: readonly Listed[]) {
  const last = groups.at(-1);
  if (!hasNextPage || !last) return { hasNextPage };
  const at = { createdAt: last.created_at, updatedAt: last.updated_at, scheduledTime: last.scheduled_at }[order.sortBy];
  return { hasNextPage, nextCursor: cursorOf({ id: last.id, at }, order) };
}

type Listed = Pick<ListedGroup, 'id' | 'created_at' | 'updated_at' | 'scheduled_at'>;

/** Reads the same page of each brand, one after the other and each in its own turn, and merges them. */
async function readBrands(
  app: Pick<App, 'db' | 'storage' | 'clock'>,
  who: Who,
  wanted: Omit<Page, 'found'>,
  query: ListPosts,
) {
  const recheck = recheckBrands(app, who);
  const max = wanted.after ? Number.POSITIVE_INFINITY : maxOfBrands;
  const upToPage = Math.min(wanted.offset + wanted.limit, max) + 1;
  let groups: (CompactGroup & { userId: string })[] = [];
  for (const userId of await brandsOf(app.db, who, app.clock.now())) {
    const read = async () => {
      await recheck(userId);
      const page = { ...wanted, userId, offset: 0, limit: upToPage, found: await search(app.db, userId, query) };
      return selectCompactPage(app.db, page, compactLength);
    };
    const found = await readInTurn(who.ownerId, read, (compact) =>
      compact.reduce((sum, { content, posts }) => sum + charactersOf(content, posts), 0),
    );
    const ofBrand = found.map((group) => ({ ...group, userId }));
    // Cut after each brand, so that neither the memory nor a sort grows with the number of brands.
    groups = [...groups, ...ofBrand].sort(inOrderOf(wanted)).slice(0, upToPage);
  }
  const onPage = groups.slice(wanted.offset, wanted.offset + wanted.limit);
  const hasNextPage = groups.length > wanted.offset + wanted.limit && wanted.offset + wanted.limit < max;
  return {
    posts: await inTurns(
      presentEach(onPage, (group) => ({ ...presentCompactGroup(app, group), userId: group.userId })),
    ),
    pagination: next(wanted, hasNextPage, onPage),
  };
}

/** Like the order of a page: posts without a time come last in both directions, and ids sort by creation time. */
function inOrderOf({ sortBy, ascending }: Pick<Page, 'sortBy' | 'ascending'>) {
  const direction = ascending ? 1 : -1;
  const byId = (a: CompactGroup, b: CompactGroup) => (a.id < b.id ? -direction : direction);
  if (sortBy === 'createdAt') return byId;
  const timeOf = ({ scheduled_at }: CompactGroup) => scheduled_at?.getTime() ?? direction * Number.POSITIVE_INFINITY;
  return (a: CompactGroup, b: CompactGroup) => direction * Math.sign(timeOf(a) - timeOf(b)) || byId(a, b);
}

interface Found {
  posts: Awaited<ReturnType<typeof readCounted | typeof readPage | typeof readBrands>>['posts'];
  pagination: { totalItems?: number; totalPages?: number } & ReturnType<typeof next>;
}

/** The rest of a post takes as long as a text of this length, and so does each of its targets. */
const charactersPerPost = 300;
const charactersPerTarget = 100;

const charactersOf = (content: string, targets: readonly unknown[]) =>
  content.length + charactersPerPost + targets.length * charactersPerTarget;

const charactersIn = ({ posts }: Found) =>
  posts.reduce((sum, { content, platforms }) => sum + charactersOf(content, platforms), 0);

/** An unknown platform is not an error: it matches no post. */
const platformNamed = (name: string) => descriptionOf(name.toLowerCase())?.id ?? '';

/** Like an unknown platform, an unknown channel matches no post. */
function channelNamed(id: string): NonNullable<Page['channel']> {
  const named = splitPlatformId(id);
  // PostgreSQL cannot store this character in text.
  return named && !id.includes('\0') ? named : { platform: '', accountId: '' };
}

function dateOf(text: string | undefined, problem: ProblemKey): Date | null {
  if (!text) return null;
  const time = new Date(text).getTime();
  if (Number.isNaN(time)) throw new Problem(problem);
  return new Date(Math.max(time, earliest));
}
