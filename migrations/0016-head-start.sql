-- Since when a lane that is due waits for a worker: each worker has the first go at its own part of them.
alter table publish_lanes add column ready_at timestamptz not null default now();
