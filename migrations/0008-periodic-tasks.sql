-- Maintenance that runs on a schedule.

create table periodic_tasks (
  name text primary key,
  next_run_at timestamptz not null,
  leased_by text,
  leased_until timestamptz,
  started_at timestamptz,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  consecutive_failures integer not null default 0
);
comment on table periodic_tasks is
  'One row for each task that runs on a schedule, so that it runs once per period however many processes there are.';
comment on column periodic_tasks.next_run_at is
  'When the task is due: at its next scheduled time, or earlier when a failed run is retried.';
comment on column periodic_tasks.leased_by is 'The worker that runs the task.';
comment on column periodic_tasks.leased_until is
  'The worker renews its lease while the task runs. When the worker dies, the lease expires and another worker takes over.';
comment on column periodic_tasks.started_at is 'When the last run started.';
