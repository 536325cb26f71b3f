import pg from 'pg';

export interface Filling {
  groups: number;
  /** The first user has half of the groups, or all if alone. Each user has connections. */
  userIds: readonly string[];
  /** Receives the events of the first user. */
  webhookId?: string;
}

/** Rare content is in this many groups of the first user, regardless of the total. */
export const rareGroups = 20;
export const rareWord = 'lighthouse';
export const commonWord = 'harbour';

/**
 * Fills the database as two years of use would: most groups are published, some are failed, drafts or scheduled; logs
 * and events are as old as the retention allows. Written in SQL as superuser, without triggers and foreign keys.
 */
export async function fillGroups(superuserUrl: string, filling: Filling) {
  await using stack = new AsyncDisposableStack();
  const [first, second] = [await connect(superuserUrl, stack), await connect(superuserUrl, stack)];
  const indexes = await dropIndexes(first);
  await makeGroups(first, filling);
  const inserts = [...slices(filling.groups).map(insertTargets), ...otherInserts];
  await Promise.all([first, second].map((client) => takeFrom(inserts, client)));
  if (filling.webhookId) await makeDeliveries(first, filling.webhookId, filling.userIds[0]!);
  await Promise.all([first, second].map((client) => takeFrom(indexes, client)));
  await first.query('drop table bench_made, bench_owner');
  // As autovacuum would have done: without it, index-only scans are not possible.
  await first.query('vacuum (analyze)');
}

async function connect(url: string, stack: AsyncDisposableStack): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  stack.defer(() => client.end());
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB';
    set work_mem = '256MB'`,
  );
  return client;
}

/** Two of these keep both cores busy. */
async function takeFrom(statements: string[], client: pg.Client) {
  for (let next = statements.shift(); next; next = statements.shift()) await client.query(next);
}

const tables = [
  'post_groups',
  'platform_posts',
  'post_words',
  'post_logs',
  'events',
  'media',
  'webhook_deliveries',
  'webhook_attempts',
];

/**
 * Building an index once takes a fraction of the time of adding to it row by row. Returns the statements that rebuild
 * them.
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = any ($1::text[]::regclass[]) and not indisunique`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** One row for each group, with everything that its other rows need. */
async function makeGroups(client: pg.Client, { groups, userIds }: Filling) {
  await client.query(
    `create unlogged table bench_owner as
    select owner.user_id, place, right(owner.user_id, 8) as tag, array_agg(id order by platform, id) as connections,
      array_agg(platform order by platform, id) as platforms
    from unnest($1::text[]) with ordinality as owner (user_id, place) join connections using (user_id)
    group by owner.user_id, place`,
    [userIds],
  );
  await client.query(
    `create unlogged table bench_made as
    select number, user_id, tag, status, created_at, is_rare,
      lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || substr(md5(number::text), 1, 12) as id,
      case status when 'draft' then null
        when 'scheduled' then now() + interval '1 day' + number % 1000000 * interval '10 seconds'
        else created_at + interval '6 hours' end as scheduled_at,
      case when number % 10 = 0 then array[substr(md5('media' || number), 1, 24)] else '{}' end as media_ids,
      phrase, 'Number ' || number || phrase as content,
      created_at > now() - interval '90 days' or number > $1::integer - 400 as is_logged,
      created_at > now() - interval '30 days' or number > $1::integer - 400 as is_told,
      -- Most go to the first three; a rare one goes to the fourth in place of the third.
      case when is_rare and array_length(connections, 1) > 3
        then array[connections[1], connections[2], connections[4]] else connections[1:3] end as connections,
      case when is_rare and array_length(connections, 1) > 3
        then array[platforms[1], platforms[2], platforms[4]] else platforms[1:3] end as platforms
    from generate_series(1, $1::integer) as number
    cross join lateral (
      select case when number % 2 = 0 or $2::integer = 1 then 1 else 2 + (number / 2) % ($2::integer - 1) end as place,
        now() - interval '730 days' * (1 - number::float8 / $1) - interval '1 minute' as created_at,
        number % (2 * greatest($1::integer / ${2 * rareGroups}, 1)) = 0 as is_rare,
        case when number / 2 % 20 = 0 then 'scheduled' when number / 2 % 20 = 1 then 'draft'
          when number / 2 % 33 = 2 then 'failed' else 'published' end as usual_status
    ) shape
    cross join lateral (
      select case when is_rare then 'partially_published' else usual_status end as status,
        ': news from the ${commonWord}, where the boats of the morning have come in with '
          || (array['herring', 'mackerel', 'cod', 'plaice', 'crab'])[1 + number % 5] || ' for everybody'
          || case when is_rare then ', seen from the ${rareWord}' else '' end as phrase
    ) ended
    join bench_owner using (place)`,
    [groups, userIds.length],
  );
}

const isDone = `status in ('published', 'failed', 'partially_published')`;

type Slice = [after: number, upTo: number];

/** There are three times as many targets as groups, too many for one connection. */
const slices = (groups: number): Slice[] =>
  [0, 1, 2, 3].map((place) => [Math.floor((groups * place) / 4), Math.floor((groups * (place + 1)) / 4)]);

const insertTargets = ([after, upTo]: Slice) => `
  insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status,
    posted_id, error, published_at, created_at, updated_at)
  select substr(made.id, 1, 12) || substr(md5(number || '-' || position), 1, 12), made.id, made.user_id, connection_id, platform,
    account_id, position, content, target_status, case target_status when 'published' then md5(number || platform) end,
    case target_status when 'failed' then jsonb_build_object('code', 'PLATFORM_REJECTED', 'message', 'The network refused it.',
      'platformError', null, 'failedAt', scheduled_at, 'retryable', false) end,
    case target_status when 'published' then scheduled_at end, made.created_at, coalesce(scheduled_at, made.created_at)
  from bench_made as made, unnest(connections) with ordinality as target (connection_id, position)
  join connections on connections.id = connection_id
  cross join lateral (
    select case when status <> 'partially_published' then status when position = 3 then 'failed' else 'published' end
      as target_status
  ) ended
  where number > ${after} and number <= ${upTo}`;

const otherInserts = [
  `insert into post_groups (id, user_id, content, status, processing_status, scheduled_at, media_ids, platforms, target_count,
    open_targets, published_targets, created_at, updated_at)
  select id, user_id, content, status, case when ${isDone} then 'finished' else 'pending' end, scheduled_at, media_ids,
    array(select distinct unnest(platforms) order by 1), 3, case when ${isDone} then 0 else 3 end,
    case status when 'published' then 3 when 'partially_published' then 2 else 0 end,
    created_at, coalesce(scheduled_at, created_at)
  from bench_made`,
  `insert into post_counts (user_id, status, platforms, posts)
  select user_id, status, array(select distinct unnest(platforms) order by 1), sum(groups)
  from (select user_id, status, platforms, count(*) as groups from bench_made group by 1, 2, 3) counted group by 1, 2, 3
  on conflict (user_id, status, platforms) do update set posts = post_counts.posts + excluded.posts`,
  // Only the number differs, so the rest is computed once for many rows.
  `insert into post_words (post_group_id, user_id, words)
  with phrase as materialized (
    select tag, phrase, array_to_tsvector(array(
      select distinct tag || word from unnest(regexp_split_to_array(lower('Number' || phrase), '[^a-z0-9]+')) as word where word <> '')) as words
    from (select distinct tag, phrase from bench_made) distinct_phrase
  )
  select id, user_id, words || array_to_tsvector(array[tag || number]) from bench_made join phrase using (tag, phrase)`,
  `insert into media (id, user_id, post_group_id, type, mime_type, source_file_name, storage_key, status, metadata, created_at,
    bytes)
  select media_ids[1], user_id, id, 'image', 'image/png', 'boats.png', 'images/' || number || '-0-' || left(media_ids[1], 8) || '-boats.png',
    'ready', '{}',
    created_at, 100000
  from bench_made where media_ids <> '{}'`,
  `insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, created_at)
  select substr(id, 1, 12) || substr(md5(number || event || position), 1, 12), id, user_id, null, null, event, created_at
  from bench_made, generate_series(1, 3) as position, unnest(array['processing', 'publish_attempted', 'publish_succeeded']) as event
  where is_logged and ${isDone}`,
  `insert into events (id, user_id, type, post_group_id, body, created_at)
  select substr(id, 1, 12) || substr(md5('event' || number), 1, 12), user_id, 'post.published', id,
    '{"version":"1","event":"post.published","data":{"postGroupId":"' || id || '"}}', created_at
  from bench_made where is_told`,
  `insert into usage_counters (owner_id, period, connection, used)
  select counted.user_id, period, platform || '-' || account_id, sum(groups)
  from (
    select user_id, to_char(scheduled_at, 'YYYY-MM-01') as period, connections as ids, count(*) as groups
    from bench_made where scheduled_at is not null group by 1, 2, 3
  ) counted
  join connections on connections.id = any (ids) group by 1, 2, 3
  on conflict do nothing`,
  `insert into quota_usage (user_id, drafts, bytes)
  select user_id, count(*) filter (where status = 'draft'), sum(cardinality(media_ids)) * 100000 from bench_made group by user_id
  on conflict (user_id) do update set drafts = excluded.drafts, bytes = excluded.bytes`,
];

async function makeDeliveries(client: pg.Client, webhookId: string, userId: string) {
  await client.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, post_group_id, body, status, attempts, created_at, ended_at)
    select id, $1, id, type, post_group_id, body, 'delivered', 1, created_at, created_at from events where user_id = $2`,
    [webhookId, userId],
  );
  await client.query(
    `insert into webhook_attempts (id, delivery_id, at, duration_ms, status, answer)
    select id, id, created_at, 12, 200, 'ok' from webhook_deliveries where webhook_id = $1`,
    [webhookId],
  );
}
