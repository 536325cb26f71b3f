-- Which worker publishes what, and which outside effects have happened. All timers are rows: none is lost with a process.

create table workers (
  id text primary key,
  seen_at timestamptz not null default now(),
  dispatched_at timestamptz,
  serves text[] not null default '{}'
);
comment on table workers is 'The worker processes.';
comment on column workers.seen_at is 'The last heartbeat, by the clock of the database.';
comment on column workers.dispatched_at is 'When its dispatcher last looked for due groups.';
comment on column workers.serves is 'Platforms whose posts it publishes: their lanes are divided among the workers that serve them.';

create table publish_lanes (
  connection_id text primary key references connections (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  platform text not null,
  run_at timestamptz,
  turn_at timestamptz,
  ready_at timestamptz not null default now(),
  worker text,
  version bigint not null default 0,
  constraint due_with_turn check (run_at is null or turn_at is not null)
);
comment on table publish_lanes is
  'A connection''s posts are published one at a time and in order: in its lane. A lane is held by one worker, or it waits
for run_at.';
comment on column publish_lanes.turn_at is
  'Decides which due lane of a platform is next. A user''s first due lane has its turn at once, the second one as if it
had come a second later, and so on, so that a user with much to publish does not delay the others.';
comment on column publish_lanes.ready_at is
  'Since when a due lane has been waiting. Each worker claims the lanes of its own share first, those of others later.';
comment on column publish_lanes.version is
  'Increased when a post joins the lane, so that a worker that leaves it notices.';
create index publish_lanes_waiting on publish_lanes (platform, turn_at) include (run_at)
  where worker is null and run_at is not null;
create index publish_lanes_running on publish_lanes (worker) where worker is not null;
create index publish_lanes_by_user on publish_lanes (user_id, platform) where run_at is not null;

create table publish_steps (
  platform_post_id text not null,
  name text not null,
  started_at timestamptz not null,
  last_sent_at timestamptz not null default now(),
  ended_at timestamptz,
  makes_visible boolean not null default false,
  result jsonb,
  primary key (platform_post_id, name)
-- A step is updated once, with its result, which then has room on the same page.
) with (fillfactor = 60);
comment on table publish_steps is
  'Outside effects. Each is recorded before it happens and completed with its result, so that none happens twice. It has no
foreign key: each insert holds the row of the platform post in the same statement.';
comment on column publish_steps.last_sent_at is
  'When the request was last sent, by the clock of the database, on which all workers agree. Until the request has timed
out, the platform may still accept it without showing it yet. The epoch: it is no longer on its way.';
comment on column publish_steps.makes_visible is
  'Whether the effect shows something on the platform. Once such a step has ended, the post must not fail as if nothing had
been published.';

create function delete_steps() returns trigger language plpgsql as $$
begin
  delete from publish_steps using deleted_rows where platform_post_id = deleted_rows.id;
  return null;
end $$;
comment on function delete_steps is 'In place of a foreign key that cascades.';
create trigger delete_steps after delete on platform_posts referencing old table as deleted_rows
  for each statement execute function delete_steps();
