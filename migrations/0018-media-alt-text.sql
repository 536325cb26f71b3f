-- The alt text of files, and the list of a user's files.

alter table media add column alt_text text check (char_length(alt_text) between 1 and 2000);
comment on column media.alt_text is 'What people hear who cannot see the file. Null: its author has not written any.';

create index media_by_created_at on media (user_id, created_at, id) where purpose = 'post';
create index media_by_type on media (user_id, type, created_at, id) where purpose = 'post';
comment on index media_by_created_at is
  'With the next one: a page of the list of files is read, and the list is counted, in an index.';

create or replace function record_media_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (user_id, kind, data)
    select user_id, 'media',
      jsonb_build_object('change', 'created', 'mediaId', id, 'postGroupId', post_group_id, 'status', status)
    from new_rows join stream_users using (user_id);
  elsif tg_op = 'DELETE' then
    insert into changes (user_id, kind, data)
    select user_id, 'media',
      jsonb_build_object('change', 'deleted', 'mediaId', id, 'postGroupId', post_group_id, 'status', status)
    from old_rows join stream_users using (user_id);
  else
    insert into changes (user_id, kind, data)
    select user_id, 'media',
      jsonb_build_object('change', 'updated', 'mediaId', id, 'postGroupId', post_group_id, 'status', status)
    from (
      select user_id, id, post_group_id, status, type, mime_type, metadata, failure_code, alt_text
      from new_rows join stream_users using (user_id)
      except
      select user_id, id, post_group_id, status, type, mime_type, metadata, failure_code, alt_text
      from old_rows join stream_users using (user_id)
    ) changed;
  end if;
  return null;
end $$;
