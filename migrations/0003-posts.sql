-- Post groups (written once, scheduled once), their targets, and the log of what happened to them.

create table post_groups (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  content text not null,
  status text not null check (status in ('draft', 'scheduled', 'published', 'failed', 'partially_published')),
  processing_status text not null default 'pending' check (processing_status in ('pending', 'processing', 'finished')),
  scheduled_at timestamptz check (scheduled_at is not null or status <> 'scheduled'),
  publish_now boolean not null default false,
  platform_settings jsonb not null default '{}',
  first_comments jsonb not null default '[]',
  media_ids text[] not null default '{}',
  platforms text[] not null default '{}',
  target_count integer not null,
  open_targets integer not null,
  published_targets integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table post_groups is 'A post that was written once and scheduled once, for one or more targets (platform_posts).';
comment on column post_groups.processing_status is
  'Internal: pending until it is due, processing while the publishers have it, finished when all targets have ended.';
comment on column post_groups.publish_now is 'Created with publishNow, so it does not count towards the queue limit.';
comment on column post_groups.media_ids is
  'In attach order. Not a foreign key: an id can name a file that was deleted, which readers report as missing.';
comment on column post_groups.platforms is
  'Those of the targets, each once and in order. Written with the targets, so that lists filter and count without reading them.';
comment on column post_groups.open_targets is
  'Counted down as targets end, so that of two targets that end at the same time exactly one sees itself as the last.';
create index post_groups_due on post_groups (scheduled_at) where status = 'scheduled' and processing_status = 'pending';
comment on index post_groups_due is
  'The dispatcher reads only this index, so a million future groups do not make it slower.';
create index post_groups_queued on post_groups (user_id) include (target_count)
  where status = 'scheduled' and processing_status = 'pending' and not publish_now;
comment on index post_groups_queued is 'Counts the targets that a user has in the queue.';
create index post_groups_by_created_at on post_groups (user_id, created_at, id, status, scheduled_at);
create index post_groups_by_updated_at on post_groups (user_id, status, updated_at, id, scheduled_at);
create index post_groups_by_scheduled_at on post_groups (user_id, status, scheduled_at, id);
comment on index post_groups_by_created_at is
  'With the next two: list-posts reads a page from an index alone, in any order.';
comment on index post_groups_by_updated_at is
  'With the next one: each status has an order of its own, so that lists find a status that few groups have.';

create table platform_posts (
  id text primary key,
  post_group_id text not null references post_groups (id) on delete cascade,
  user_id text not null,
  connection_id text references connections (id) on delete set null,
  platform text not null,
  account_id text not null,
  position integer not null,
  content text not null,
  content_overridden boolean not null default false,
  thread_parts jsonb not null default '[]',
  status text not null check (status in ('draft', 'scheduled', 'pending', 'processing', 'published', 'failed')),
  posted_id text,
  permalink text,
  error jsonb,
  first_comment_results jsonb not null default '[]',
  run_at timestamptz,
  claim_token text,
  attempts integer not null default 0,
  rate_limited_since timestamptz,
  reserved_period text,
  reserved_owner_id text,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (post_group_id, platform, account_id),
  constraint published_with_id check (status <> 'published' or coalesce(posted_id, '') <> ''),
  constraint failed_with_code check (status <> 'failed' or coalesce(error ->> 'code', '') <> '')
-- Publishing updates a row several times. Free space, and no index on the status, let it do so without touching an index.
) with (fillfactor = 75);
comment on table platform_posts is 'One post group on one connection: the unit that is published.';
comment on column platform_posts.user_id is 'Not a foreign key: the row is deleted with its group, and that with its user.';
comment on column platform_posts.connection_id is
  'Null when the connection was removed; platform and account_id still name the account.';
comment on column platform_posts.content_overridden is
  'The text of this target was edited separately, so an edit of the group''s text does not change it.';
comment on column platform_posts.thread_parts is
  'Empty if it is not a thread; otherwise { index, content, status, publishedId } for each part.';
comment on column platform_posts.error is
  'Why it failed, or, while it is pending or processing, why the last attempt failed.';
comment on column platform_posts.run_at is
  'When the next run is due: while pending or processing, or while a published post has comments to receive.';
comment on column platform_posts.claim_token is 'The fencing token: only the run that holds it may write results.';
comment on column platform_posts.attempts is 'Attempts that count towards giving up.';
comment on column platform_posts.rate_limited_since is 'Since when the platform has been asking us to wait.';
comment on column platform_posts.reserved_period is
  'With the next column and the account, the key of the row in usage_counters that counts this target; null if none does.';
create index platform_posts_runnable on platform_posts (connection_id, run_at, id) where run_at is not null;
create index platform_posts_disconnected on platform_posts (id) where connection_id is null and run_at is not null;
comment on index platform_posts_disconnected is 'Posts whose account was disconnected while they were being published.';
create index platform_posts_by_content on platform_posts (connection_id, md5(content), created_at desc);
comment on index platform_posts_by_content is
  'For the warning that a connection gets the same text again. Also finds all posts of a connection.';
create index platform_posts_by_posted_id on platform_posts (posted_id) where posted_id is not null;

create table post_counts (
  user_id text not null references users (id) on delete cascade,
  status text not null,
  platforms text[] not null,
  posts bigint not null,
  primary key (user_id, status, platforms)
) with (fillfactor = 50);
comment on table post_counts is
  'How many post groups a user has, by status and platforms: the sum of this table and post_count_changes. So a list tells
its length without counting. A count of 0 stays, because posts come to the same status and platforms again.';

create table post_count_changes (
  user_id text not null,
  status text not null,
  platforms text[] not null,
  change integer not null
);
comment on table post_count_changes is
  'What was added to the counts since they were folded into post_counts. Rows are only added, so that writers of one user
never wait for each other. It has no foreign key: each insert holds a row of a group of the user.';
create index post_count_changes_by_user on post_count_changes (user_id);

create function count_posts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into post_count_changes (user_id, status, platforms, change)
    select user_id, status, platforms, count(*) from new_rows group by user_id, status, platforms;
  elsif tg_op = 'UPDATE' then
    insert into post_count_changes (user_id, status, platforms, change)
    select user_id, status, platforms, sum(change)
    from (
      select user_id, status, platforms, 1 as change from new_rows
      union all
      select user_id, status, platforms, -1 from old_rows
    ) moved
    group by user_id, status, platforms having sum(change) <> 0;
  else
    insert into post_count_changes (user_id, status, platforms, change)
    -- The user does not exist when its groups are deleted together with it.
    select user_id, status, platforms, -count(*) from old_rows join users on users.id = user_id
    group by user_id, status, platforms;
  end if;
  return null;
end $$;
comment on function count_posts is
  'One row for each count that a statement has changed, however many groups it wrote; none if it changed no count.';
create trigger count_created after insert on post_groups referencing new table as new_rows
  for each statement execute function count_posts();
create trigger count_updated after update on post_groups referencing old table as old_rows new table as new_rows
  for each statement execute function count_posts();
create trigger count_deleted after delete on post_groups referencing old table as old_rows
  for each statement execute function count_posts();

create function delete_count_changes() returns trigger language plpgsql as $$
begin
  delete from post_count_changes using deleted_rows where user_id = deleted_rows.id;
  return null;
end $$;
comment on function delete_count_changes is 'In place of a foreign key that cascades.';
create trigger delete_count_changes after delete on users referencing old table as deleted_rows
  for each statement execute function delete_count_changes();

create table post_logs (
  id text primary key,
  post_group_id text not null,
  user_id text not null,
  platform_post_id text,
  platform text,
  event text not null,
  error text,
  http_status integer,
  retry_count integer,
  metadata jsonb,
  created_at timestamptz not null
);
comment on table post_logs is
  'What happened to a post group. It has no foreign keys: each insert holds the row of the group in the same statement or
transaction, and checking them row by row took an eighth of the database''s time in a burst.';
create index post_logs_by_group on post_logs (post_group_id, created_at, id);
create index post_logs_by_age on post_logs using brin (created_at);
comment on index post_logs_by_age is 'For the nightly deletion of old rows. A BRIN index costs writes almost nothing.';

create function delete_logs() returns trigger language plpgsql as $$
begin
  delete from post_logs using deleted_rows where post_group_id = deleted_rows.id;
  return null;
end $$;
comment on function delete_logs is 'In place of a foreign key that cascades.';
create trigger delete_logs after delete on post_groups referencing old table as deleted_rows
  for each statement execute function delete_logs();

create function notify_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('post_group_due', '');
  return null;
end $$;
comment on function notify_due is
  'Wakes the dispatchers, which sleep until the next due time or for 30 s. Called only for groups that are due soon,
because transactions that notify commit one after the other.';
create trigger notify_due after insert or update of scheduled_at, status on post_groups
  for each row
  when (
    new.status = 'scheduled' and new.processing_status = 'pending' and new.scheduled_at <= now() + interval '1 minute'
  )
  execute function notify_due();

create table idempotency_keys (
  user_id text not null references users (id) on delete cascade,
  key text not null,
  fingerprint bytea not null,
  claim_token text not null,
  claimed_at timestamptz not null,
  answer jsonb,
  primary key (user_id, key)
);
comment on table idempotency_keys is
  'One row for each Idempotency-Key: claimed while its request runs, then with the answer that a retry gets.';
comment on column idempotency_keys.fingerprint is
  'A hash of the resource and the body. The same key with another fingerprint is a conflict.';
create index idempotency_keys_by_age on idempotency_keys (claimed_at);
