-- Whose lane is next is decided between users, and on each network for itself: much to do of one holds nobody else up.
alter table publish_lanes
  add column user_id text references users (id) on delete cascade,
  add column platform text,
  -- A user's first lane that is due has its turn at once, the second as if it had come a second later, and so on.
  add column turn_at timestamptz;
update publish_lanes set user_id = connections.user_id, platform = connections.platform, turn_at = run_at
from connections where connections.id = connection_id;
alter table publish_lanes
  alter column user_id set not null,
  alter column platform set not null,
  add constraint due_with_turn check (run_at is null or turn_at is not null);
drop index waiting_lanes;
create index waiting_lanes on publish_lanes (platform, turn_at) include (run_at) where worker is null and run_at is not null;
create index lanes_of_user on publish_lanes (user_id, platform) where run_at is not null;
