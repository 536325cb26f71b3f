-- Bodies of API calls, which an account stores for an hour on request, to debug its programs.

alter table users add column log_bodies_until timestamptz;
comment on column users.log_bodies_until is 'Bodies of calls with the user''s own keys are stored until then. Null: they are not.';

create trigger notify_log_bodies_changed after update of log_bodies_until on users
  for each statement execute function notify_access_changed();

create table request_log_bodies (
  user_id text not null,
  id text not null,
  at timestamptz not null,
  request_body text,
  response_body text,
  characters integer not null,
  primary key (user_id, id)
);
create index request_log_bodies_by_time on request_log_bodies (at);
comment on table request_log_bodies is
  'Bodies of the calls in request_log with the same ids, without secrets, cut after 64 kB, for at most a day. Like request_log, it has no foreign keys.';

create function delete_request_log_bodies() returns trigger language plpgsql as $$
begin
  delete from request_log_bodies using deleted_rows where request_log_bodies.user_id = deleted_rows.id;
  return null;
end $$;
create trigger delete_request_log_bodies after delete on users
  referencing old table as deleted_rows for each statement execute function delete_request_log_bodies();
