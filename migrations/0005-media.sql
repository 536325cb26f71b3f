-- Files of posts, versions made for platforms, and files to be deleted from storage.

create table media (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  post_group_id text not null references post_groups (id) on delete cascade,
  purpose text not null default 'post' check (purpose <> ''),
  type text not null check (type in ('image', 'video', 'document')),
  mime_type text not null,
  source_file_name text not null,
  storage_key text unique,
  status text not null check (status in ('uploading', 'ready', 'failed')),
  failure_code text check (failure_code is not null or status <> 'failed'),
  failure_reason text,
  metadata jsonb check (metadata is not null or status <> 'ready'),
  object_version text,
  upload_url_expires_at timestamptz,
  first_missing_at timestamptz,
  created_at timestamptz not null
);
comment on table media is 'Uploaded files.';
comment on column media.purpose is
  'Thumbnails and covers are not among the media of the post; the platform settings of the post name them.';
comment on column media.type is 'With mime_type: as declared until the file was inspected, then as it is.';
comment on column media.metadata is 'The nine fields of the API, and what validation needs besides: frames, pages.';
comment on column media.object_version is 'The version of the stored object that was inspected.';
comment on column media.upload_url_expires_at is 'Until then a client can still upload a file to this storage key.';
comment on column media.first_missing_at is 'When the file was first looked for and not found.';
create index media_by_group on media (post_group_id);
create index media_uploading on media (created_at) where status = 'uploading';
create index media_thumbnails on media (created_at) where purpose <> 'post';

create table renditions (
  media_id text not null references media (id) on delete cascade,
  kind text not null,
  storage_key text not null unique,
  mime_type text not null,
  bytes bigint not null,
  width integer not null,
  height integer not null,
  primary key (media_id, kind)
);
comment on table renditions is 'Versions of a file that were made for a platform, each made once.';

create table orphaned_files (
  storage_key text primary key,
  delete_after timestamptz not null,
  delete_again_at timestamptz
);
comment on table orphaned_files is
  'Files to be deleted from storage: those whose record was deleted, and those that are being written and have no record
yet.';
comment on column orphaned_files.delete_again_at is
  'The file is deleted a second time then, because an upload URL can outlive its record.';
create index orphaned_files_by_delete_after on orphaned_files (delete_after);

create function orphan_file() returns trigger language plpgsql as $$
begin
  insert into orphaned_files (storage_key, delete_after, delete_again_at)
  select storage_key, now(), delete_again_at from (
    select old.storage_key, case when tg_table_name = 'media'
      -- A slow upload that began in time may end hours later.
      then (to_jsonb(old) ->> 'upload_url_expires_at')::timestamptz + interval '6 hours' end as delete_again_at
  ) deleted_row
  where storage_key is not null
  on conflict (storage_key)
    do update set delete_after = excluded.delete_after, delete_again_at = excluded.delete_again_at;
  return null;
end $$;
comment on function orphan_file is
  'A file is deleted after its record, whether the record was deleted alone, with its post or with its user.';
create trigger orphan_file after delete on media for each row execute function orphan_file();
create trigger orphan_file after delete on renditions for each row execute function orphan_file();

create table url_allowances (
  user_id text primary key references users (id) on delete cascade,
  window_start timestamptz not null,
  used integer not null
);
comment on table url_allowances is 'How many URLs a user has had fetched in the current window of one hour.';
