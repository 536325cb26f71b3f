-- Files of posts: what is known of each, their order in the post, and files that nobody wants any more.

create table media (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  post_group_id text not null references post_groups (id) on delete cascade,
  -- Pictures that stand for a video are not among the post's media; its settings name them.
  purpose text not null default 'post' check (purpose in ('post', 'youtube_thumbnail', 'instagram_cover')),
  -- As declared until the bytes have been looked at, then as they are.
  type text not null check (type in ('image', 'video', 'document')),
  mime_type text not null,
  source_file_name text not null,
  storage_key text unique,
  status text not null check (status in ('uploading', 'ready', 'failed')),
  failure_code text check (failure_code is not null or status <> 'failed'),
  failure_reason text,
  -- The contract's nine facts, and what validation needs besides: frames, pages.
  metadata jsonb check (metadata is not null or status <> 'ready'),
  -- The version of the stored object that was looked at.
  object_version text,
  -- Until then somebody may still put a file there.
  upload_url_expires_at timestamptz,
  -- When the file was first looked for and not found.
  missed_at timestamptz,
  created_at timestamptz not null
);
create index media_of_group on media (post_group_id);
create index unfinished_media on media (created_at) where status = 'uploading';
create index pictures_for_videos on media (created_at) where purpose <> 'post';

-- In attach order. A list of names, not a join: it may name what is no longer there, and says so when it is read.
alter table post_groups add column media_ids text[] not null default '{}';

-- Versions of a file made for a network, once.
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

-- Files to be removed from storage: those whose record is gone, and those being written for which there is none yet.
create table unwanted_files (
  storage_key text primary key,
  remove_after timestamptz not null,
  -- Removed once more then: an upload address outlives its record.
  again_at timestamptz
);
create index unwanted_files_by_time on unwanted_files (remove_after);

-- Whichever way a record goes, with its post or its user or alone, its file follows.
create function forget_file() returns trigger language plpgsql as $$
begin
  insert into unwanted_files (storage_key, remove_after, again_at)
  select storage_key, now(), again_at from (
    select old.storage_key, case when tg_table_name = 'media'
      -- A slow upload that began in time may end hours later.
      then (to_jsonb(old) ->> 'upload_url_expires_at')::timestamptz + interval '6 hours' end as again_at
  ) gone
  where storage_key is not null
  on conflict (storage_key) do update set remove_after = excluded.remove_after, again_at = excluded.again_at;
  return null;
end $$;
create trigger media_forgotten after delete on media for each row execute function forget_file();
create trigger renditions_forgotten after delete on renditions for each row execute function forget_file();

-- Addresses taken from a user's allowance in the current window of one hour.
create table url_allowances (
  user_id text primary key references users (id) on delete cascade,
  window_start timestamptz not null,
  used integer not null
);
