-- What was written once and scheduled once, its targets, what was done for each of them, and what happened.

create table post_groups (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  content text not null,
  status text not null check (status in ('draft', 'scheduled', 'published', 'failed', 'partially_published')),
  -- Internal: waiting for its time, handed to the publishers, or all targets ended.
  processing_status text not null default 'pending' check (processing_status in ('pending', 'processing', 'finished')),
  scheduled_at timestamptz check (scheduled_at is not null or status <> 'scheduled'),
  platform_settings jsonb not null default '{}',
  first_comments jsonb not null default '[]',
  -- Counted down as targets end: two that end at once must not both believe the other still runs.
  target_count integer not null,
  open_targets integer not null,
  published_targets integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- The dispatcher reads only this: a million future groups do not make a tick slower.
create index due_post_groups on post_groups (scheduled_at) where status = 'scheduled' and processing_status = 'pending';
create index post_groups_of_user on post_groups (user_id, created_at desc);

create table platform_posts (
  id text primary key,
  post_group_id text not null references post_groups (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  -- Null when the connection was removed; the account stays named below.
  connection_id text references connections (id) on delete set null,
  platform text not null,
  account_id text not null,
  position integer not null,
  content text not null,
  status text not null check (status in ('draft', 'scheduled', 'pending', 'processing', 'published', 'failed')),
  posted_id text check (posted_id is not null or status <> 'published'),
  permalink text,
  error jsonb check (error is not null or status <> 'failed'),
  -- When the next run is wanted; set while pending or processing.
  run_at timestamptz,
  -- Only the run that holds this token may write results.
  claim_token text,
  -- Tries that count towards giving up, and since when the network has been asking us to wait.
  attempts integer not null default 0,
  rate_limited_since timestamptz,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (post_group_id, platform, account_id)
);
create index platform_posts_of_connection on platform_posts (connection_id);
create index unfinished_platform_posts on platform_posts (connection_id, run_at, id)
  where status in ('pending', 'processing');

-- Outside effects, each begun before it happens and ended with its result: what makes "never twice" true.
create table publish_steps (
  platform_post_id text not null references platform_posts (id) on delete cascade,
  name text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  result jsonb,
  primary key (platform_post_id, name)
);

create table post_logs (
  id text primary key,
  post_group_id text not null references post_groups (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  platform_post_id text,
  platform text,
  event text not null,
  error text,
  http_status integer,
  retry_count integer,
  metadata jsonb,
  created_at timestamptz not null
);
create index post_logs_of_group on post_logs (post_group_id, created_at, id);

-- A group that is due soon wakes the dispatchers, which otherwise sleep until the next due time, 30 s at most. Only then:
-- transactions that notify commit one after the other.
create function tell_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('post_group_due', '');
  return null;
end $$;
create trigger post_groups_due after insert or update of scheduled_at, status on post_groups
  for each row
  when (
    new.status = 'scheduled' and new.processing_status = 'pending' and new.scheduled_at <= now() + interval '1 minute'
  )
  execute function tell_due();
