import { type RawBuilder, sql } from 'kysely';
import type { StoredGroup } from '../read-queries.ts';
import { countedPosts } from './count-queries.ts';
import { type Found, isFound } from './word-queries.ts';

/** Which groups are on a page, their order, and how many there are on all pages. */

/** The last group of a page: the next page begins after it. */
export interface Place {
  /** The time by which the list is sorted. Null for a group without a time. */
  at: Date | null;
  id: string;
}

export interface Page {
  userId: string;
  /** Empty for all statuses. */
  statuses: readonly string[];
  platform: string | null;
  channel: { platform: string; accountId: string } | null;
  /** Null if there is no search. */
  found: Found | null;
  from: Date | null;
  to: Date | null;
  sortBy: 'createdAt' | 'updatedAt' | 'scheduledTime';
  ascending: boolean;
  limit: number;
  offset: number;
  /** The page begins after this group, instead of at an offset. */
  after: Place | null;
}

/** The `counts` table that the queries below read: the number of groups that pass each filter of the page. */
export const countsOf = (page: Page): RawBuilder<unknown> => sql`
  counts as materialized (
    select coalesce(sum(posts), 0) as all_posts,
      coalesce(sum(posts) filter (where true ${withStatus(page.statuses)}), 0) as with_status,
      coalesce(sum(posts) filter (where true ${withPlatform(page.platform)}), 0) as with_platform,
      ${matchingCount(page)} as matching
    from (${countedPosts(page.userId)}) counted
  )`;

/**
 * The counts cover statuses and platforms. Other filters are counted in an index, in time proportional to their
 * result.
 */
const matchingCount = (page: Page): RawBuilder<unknown> =>
  isCounted(page)
    ? sql`coalesce(sum(posts) filter (where true ${withStatus(page.statuses)} ${withPlatform(page.platform)}), 0)`
    : sql`(select count(*) ${matching(page)})`;

const isCounted = (page: Page) => !isRange(page) && !page.channel && !page.found;
const isRange = ({ from, to }: Page) => from !== null || to !== null;

/** The ids of the groups on the page. */
export function idsOfPage(page: Page): RawBuilder<unknown> {
  if (isOfOneChannel(page)) return idsOfAccount(page, page.channel, placeOf(page));
  const few = page.channel || page.found ? null : fewOf(page);
  return few ? shorterWay(page, few) : inOrder(page);
}

const placeOf = ({ limit, offset }: Page) => sql`limit ${limit} offset ${offset}`;

/** A superset of the groups on the page, for when an index in page order also contains other groups. */
interface Few {
  count: 'with_status' | 'with_platform' | 'matching';
  ids: RawBuilder<unknown>;
}

function fewOf(page: Page): Few | null {
  const { userId, sortBy, statuses, platform } = page;
  if (isRange(page))
    return sortBy === 'scheduledTime' ? null : { count: 'matching', ids: sql`select id ${matching(page)}` };
  if (sortBy === 'createdAt') {
    if (statuses.length === 0) return null;
    return {
      count: 'with_status',
      ids: sql`select id from post_groups where user_id = ${userId} ${withStatus(statuses)}`,
    };
  }
  if (platform === null) return null;
  const ids = sql`select distinct post_group_id as id from platform_posts where user_id = ${userId} and platform = ${platform}`;
  return { count: 'with_platform', ids };
}

/** Either reads in order until the page is full, or sorts the few candidates. The counts decide which is cheaper. */
function shorterWay(page: Page, { count, ids }: Few): RawBuilder<unknown> {
  const { sortBy, platform, limit, offset } = page;
  const isOfPlatform = platform !== null && isCounted(page);
  const passed = sortBy !== 'createdAt' ? 'with_status' : isOfPlatform ? 'with_platform' : 'all_posts';
  return sql`
    with way as materialized (
      select case when matching > ${offset}
        then ${sql.ref(count)} * matching <= ${offset + limit}::bigint * ${sql.ref(passed)} end as sorts_few
      from counts
    )
    select id from (${inOrder(page)}) ordered where (select not sorts_few from way)
    union all
    select id from (${sorted(page, ids)}) sorted where (select sorts_few from way)`;
}

function sorted(page: Page, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select g.id from (${ids}) few
    cross join lateral (select * from post_groups where post_groups.id = few.id ${pastAnyKind(page)} limit 1) g
    where true ${withStatus(page.statuses)} ${withPlatform(page.platform)}
    order by ${orderOf(page, sql`nulls last`)} ${placeOf(page)}`;
}

function orderOf({ sortBy, ascending }: Page, nulls = sql``): RawBuilder<unknown> {
  const column = columnOf(sortBy);
  return ascending ? sql`${column}, id` : sql`${column} desc ${nulls}, id desc`;
}

const columnOf = (sortBy: Page['sortBy']) =>
  sql.ref({ createdAt: 'created_at', updatedAt: 'updated_at', scheduledTime: 'scheduled_at' }[sortBy]);

/** In index order, forwards or backwards. Groups without a time come last in both directions. */
function inOrder(page: Page): RawBuilder<unknown> {
  const { sortBy, ascending, from, to, platform, found, after } = page;
  if (sortBy === 'createdAt' && platform !== null && isCounted(page)) return idsOfPlatform(page, platform);
  if (sortBy === 'createdAt')
    return sql`select id ${matching(page)} ${past(page)} order by ${orderOf(page)} ${placeOf(page)}`;
  if (found && 'ids' in found)
    return sql`select id ${matching(page)} ${pastAnyKind(page)} order by ${orderOf(page, sql`nulls last`)} ${placeOf(page)}`;
  if (sortBy === 'updatedAt' || from || to || (ascending && !after))
    return sql`select id from (${statusesInOrder(page, past(page))}) statuses order by ${orderOf(page)} ${placeOf(page)}`;
  // A backward scan returns groups without a time first, and a condition on both kinds could not use the index, so they
  // are read separately.
  const withTime = statusesInOrder(page, sql`and scheduled_at is not null ${past(page)}`);
  const isPastTimes = after?.at === null;
  const withoutTime = statusesInOrder(page, sql`and scheduled_at is null ${isPastTimes ? past(page) : sql``}`);
  const kinds = isPastTimes ? [withoutTime] : [withTime, withoutTime];
  return sql`
    select id from (${sql.join(
      kinds.map((kind) => sql`(${kind})`),
      sql` union all `,
    )}) both_kinds
    order by ${orderOf(page, sql`nulls last`)} ${placeOf(page)}`;
}

/** After the cursor, among groups that all have a time or all have none. */
const past = ({ after, sortBy, ascending }: Page): RawBuilder<unknown> =>
  when(after, ({ at, id }) => {
    const than = ascending ? sql`>` : sql`<`;
    if (at === null) return sql`and ${columnOf(sortBy)} is null and id ${than} ${id}`;
    return sql`and (${columnOf(sortBy)}, id) ${than} (${at}::timestamptz, ${id}::text)`;
  });

/** After the cursor, also among groups without a time, which come last. */
const pastAnyKind = (page: Page): RawBuilder<unknown> =>
  page.sortBy === 'scheduledTime' && page.after && page.after.at !== null
    ? sql`and (scheduled_at is null or true ${past(page)})`
    : past(page);

/** The index orders each status separately. */
function statusesInOrder(page: Page, more = sql``): RawBuilder<unknown> {
  const upToPage = sql`order by ${orderOf(page)} limit ${page.offset + page.limit}`;
  const wanted = page.statuses.length > 0 ? page.statuses : allStatuses;
  const parts = wanted.map(
    (status) =>
      sql`(select id, ${columnOf(page.sortBy)} ${matching({ ...page, statuses: [status] })} ${more} ${upToPage})`,
  );
  return sql`select * from (${sql.join(parts, sql` union all `)}) parts ${upToPage}`;
}

const allStatuses = Object.keys({
  draft: true,
  scheduled: true,
  published: true,
  failed: true,
  partially_published: true,
} satisfies Record<StoredGroup['status'], true>);

function matching(page: Page): RawBuilder<unknown> {
  // The index orders times within each status, so a time range is one range per status.
  const statuses = page.statuses.length === 0 && isRange(page) ? allStatuses : page.statuses;
  return sql`
    from post_groups where user_id = ${page.userId}
    ${withStatus(statuses)}
    ${withPlatform(page.platform)}
    ${when(page.from, (from) => sql`and scheduled_at >= ${from}`)}
    ${when(page.to, (to) => sql`and scheduled_at <= ${to}`)}
    ${when(
      page.channel,
      ({ platform, accountId }) => sql`and exists (
        select from platform_posts
        where post_group_id = post_groups.id and platform = ${platform} and account_id = ${accountId})`,
    )}
    ${when(page.found, (found) => sql`and ${isFound(page.userId, found)}`)}`;
}

function withStatus(statuses: Page['statuses']): RawBuilder<unknown> {
  if (statuses.length === 0) return sql``;
  return statuses.length === 1 ? sql`and status = ${statuses[0]}` : sql`and status = any (${statuses}::text[])`;
}

const withPlatform = (wanted: Page['platform']) =>
  when(wanted, (platform) => sql`and ${platform}::text = any (platforms)`);

type OfOneChannel = Page & { channel: NonNullable<Page['channel']> };

/** Otherwise the query would read all of the user's groups to find those of a channel that has few. */
const isOfOneChannel = (page: Page): page is OfOneChannel =>
  page.channel !== null &&
  page.sortBy === 'createdAt' &&
  page.platform === null &&
  !page.found &&
  !page.from &&
  !page.to;

/** Ids sort by creation time. */
function idsOfAccount(
  { userId, statuses, ascending, after }: Page,
  { platform, accountId }: { platform: string; accountId: string | RawBuilder<unknown> },
  place: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select post_group_id as id from platform_posts
    where user_id = ${userId} and platform = ${platform} and account_id = ${accountId}
    ${when(after, ({ id }) => sql`and post_group_id ${ascending ? sql`>` : sql`<`} ${id}`)}
    ${statuses.length === 0 ? sql`` : sql`and ${groupHasStatus(statuses)}`}
    order by post_group_id ${ascending ? sql`asc` : sql`desc`} ${place}`;
}

/**
 * Looks up one group at a time: a join might read all groups with the status, including those of other users. The
 * database expects every second group to match. If it expected few, it might read all groups of the account first.
 */
const groupHasStatus = (statuses: Page['statuses']) =>
  sql`(select status = any (${statuses}::text[]) from post_groups where id = post_group_id)`;

/** An index has the groups of each account in order. A user has few accounts, which are looked up one by one. */
function idsOfPlatform(page: Page, platform: string): RawBuilder<unknown> {
  const next = (after: RawBuilder<unknown>) => sql`
    select platform_posts.account_id from platform_posts
    where user_id = ${page.userId} and platform = ${platform} ${after} order by account_id limit 1`;
  const account = { platform, accountId: sql`account.id` };
  return sql`
    with recursive account (id) as (
      (${next(sql``)})
      union all
      select (${next(sql`and account_id > account.id`)}) from account where id is not null
    )
    select distinct of_account.id from account
    cross join lateral (${idsOfAccount(page, account, sql`limit ${page.offset + page.limit}`)}) of_account
    order by id ${page.ascending ? sql`asc` : sql`desc`} ${placeOf(page)}`;
}

function when<T>(value: T | null, clause: (value: T) => RawBuilder<unknown>): RawBuilder<unknown> {
  return value === null ? sql`` : clause(value);
}
