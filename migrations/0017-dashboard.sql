-- What the dashboard keeps: preferences, drafts of the composer, the latest API calls, pictures of connected accounts.

alter table users
  add column time_zone text,
  add column week_start text not null default 'monday' check (week_start in ('monday', 'sunday', 'saturday')),
  add column hour_cycle text check (hour_cycle in ('12', '24')),
  add column language text,
  add column welcome_done_at timestamptz;
comment on column users.time_zone is 'A name of the IANA database. Null: that of the browser.';
comment on column users.hour_cycle is 'How times are shown. Null: as the language has it.';
comment on column users.language is 'A BCP 47 tag. Null: that of the browser.';
comment on column users.welcome_done_at is 'When the first steps were done or dismissed. Null: they are still shown.';

create table composer_drafts (
  user_id text not null references users (id) on delete cascade,
  id text not null check (id ~ '^[0-9a-f-]{24,36}$'),
  version integer not null check (version > 0),
  draft jsonb not null check (jsonb_typeof(draft) = 'object'),
  updated_at timestamptz not null,
  primary key (user_id, id)
);
comment on table composer_drafts is 'What a person has begun to write and what is no post yet. Kept until it is deleted.';
comment on column composer_drafts.id is 'Made by the client, so that a draft has an id before it is first saved. Another for each user.';
comment on column composer_drafts.version is 'Each save adds one and names the version that it replaces, so that no save overwrites another unseen.';
create index composer_drafts_by_age on composer_drafts (user_id, updated_at desc, id);

create function record_draft_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into changes (user_id, kind, data)
    select user_id, 'draft', jsonb_build_object('change', 'deleted', 'draftId', id, 'version', version)
    from old_rows join stream_users using (user_id);
  else
    insert into changes (user_id, kind, data)
    select user_id, 'draft', jsonb_build_object('change', case tg_op when 'INSERT' then 'created' else 'updated' end,
      'draftId', id, 'version', version)
    from new_rows join stream_users using (user_id);
  end if;
  return null;
end $$;
create trigger record_created after insert on composer_drafts referencing new table as new_rows
  for each statement execute function record_draft_changes();
create trigger record_updated after update on composer_drafts referencing new table as new_rows
  for each statement execute function record_draft_changes();
create trigger record_deleted after delete on composer_drafts referencing old table as old_rows
  for each statement execute function record_draft_changes();

create table request_log (
  user_id text not null,
  id text not null,
  owner_id text not null,
  acted_for text not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_ms integer not null,
  key_prefix text not null,
  client text not null,
  request_id text not null,
  primary key (user_id, id)
);
comment on table request_log is
  'The latest API calls that were made with keys, without their bodies, headers and addresses. It has no foreign keys: they
would lock the rows of users for each call, and one deleted user would fail the calls of all others.';
comment on column request_log.user_id is 'The user of the key.';
comment on column request_log.owner_id is 'The owner of that user at the time of the call; the user itself if it is not managed.';
comment on column request_log.acted_for is 'The user that the call acted for.';
comment on column request_log.path is 'The pattern of the route, as the API reference shows it.';
create index request_log_by_owner on request_log (owner_id, id);

create table request_log_sizes (
  user_id text primary key,
  calls integer not null
-- Each batch of calls updates its users. Free space lets the new version stay on the same page.
) with (fillfactor = 70);
comment on table request_log_sizes is 'How many calls of a user are stored, so that pruning need not count them.';

create function delete_request_log() returns trigger language plpgsql as $$
begin
  delete from request_log using deleted_rows where request_log.user_id = deleted_rows.id;
  update request_log set owner_id = user_id from deleted_rows where request_log.owner_id = deleted_rows.id;
  delete from request_log_sizes using deleted_rows where request_log_sizes.user_id = deleted_rows.id;
  return null;
end $$;
comment on function delete_request_log is
  'In place of foreign keys that cascade. A user who was managed by the deleted one keeps the own calls.';
create trigger delete_request_log after delete on users referencing old table as deleted_rows
  for each statement execute function delete_request_log();

create table connection_avatars (
  connection_id text primary key references connections (id) on delete cascade,
  address text not null,
  image bytea check (length(image) <= 65536),
  fetched_at timestamptz,
  failed_at timestamptz
);
comment on table connection_avatars is 'Pictures of connected accounts, made small, so that no page asks another server for them.';
comment on column connection_avatars.address is 'The address that was last tried.';
comment on column connection_avatars.image is 'A WebP of 128 × 128 pixels. Null: there never was one that could be used.';
comment on column connection_avatars.failed_at is 'When that address could not be used. Null: it could.';
