-- Who publishes what. The rows are the only timers: nothing is lost with a process.

-- Worker processes and their last sign of life, by the database's clock.
create table workers (
  id text primary key,
  seen_at timestamptz not null default now(),
  -- When its dispatcher last looked for due groups.
  dispatched_at timestamptz
);

-- A connection's posts go out one at a time and in order: its lane. A lane is run by one worker or waits for `run_at`.
create table publish_lanes (
  connection_id text primary key references connections (id) on delete cascade,
  run_at timestamptz,
  worker text,
  -- Goes up when a post joins the lane, so that a worker leaving it notices.
  version bigint not null default 0
);
create index waiting_lanes on publish_lanes (run_at) where worker is null and run_at is not null;
create index running_lanes on publish_lanes (worker) where worker is not null;
