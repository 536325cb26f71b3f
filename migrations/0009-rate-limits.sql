-- How often callers used the API.

-- Not logged: after a crash the counters begin again, and that costs nothing.
create unlogged table rate_counters (
  name text not null,
  window_start timestamptz not null,
  used integer not null,
  primary key (name, window_start)
);
comment on table rate_counters is 'What all processes together counted in a window of time, by rate and caller.';
create index rate_counters_by_window on rate_counters (window_start);
