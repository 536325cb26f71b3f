-- What a plan allows and how much of it is used; threads; the outbox of events; links for a client to connect accounts.

-- Platform posts of a calendar month (UTC), reserved when they are scheduled: of the whole account (connection is empty)
-- or of one connection (`<platform>-<account id>`), as the plan counts.
create table usage_counters (
  owner_id text not null references users (id) on delete cascade,
  -- Its first day, as YYYY-MM-DD.
  period text not null,
  connection text not null default '',
  used integer not null check (used >= 0),
  primary key (owner_id, period, connection)
);

alter table post_groups
  -- Asked for with publishNow: takes no place in the queue.
  add column publish_now boolean not null default false;
-- Pages of list-posts are read from these alone, whatever the filter and order.
drop index post_groups_of_user;
create index post_groups_by_creation on post_groups (user_id, created_at, id, status, scheduled_at);
create index post_groups_by_update on post_groups (user_id, updated_at, id, status, scheduled_at);
create index post_groups_by_time on post_groups (user_id, scheduled_at, id, status);

alter table platform_posts
  -- The month and owner in whose counter this target is reserved; null if it is not.
  add column reserved_period text,
  add column reserved_owner_id text,
  add column reserved_connection text,
  -- Has a text of its own, made in the editor: an edit of the group's text leaves it alone.
  add column content_overridden boolean not null default false,
  -- Empty if it is not a thread; else { index, content, status, publishedId } per part.
  add column thread_parts jsonb not null default '[]',
  add column first_comment_results jsonb not null default '[]';
create index scheduled_platform_posts on platform_posts (user_id) where status = 'scheduled';
-- For the warning that the same text goes to the same connection again.
create index platform_posts_by_text on platform_posts (connection_id, md5(content), created_at desc);

-- For the nightly pruning of old rows; of a kind that costs writes next to nothing.
create index post_logs_by_age on post_logs using brin (created_at);

-- Facts that happened, written with the change itself. Who listens is not the writer's business.
create table events (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null
);

-- A page where a managed user's client connects accounts, opened by a link. Only the hash of its token is kept.
create table connection_links (
  user_id text primary key references users (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- Sealed, so that asking again gives the same link.
  token text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null
);

-- What a key may do includes the accounts it can post to: processes remember them with the key.
create trigger connections_changed after insert or delete or update of traits on connections
  for each statement execute function tell_access_changed();

-- Undoes a statement that would go over a limit of the plan.
create function refuse(reason text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'CR403', message = reason;
end $$;
