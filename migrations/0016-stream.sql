-- What the event stream tells: the changes of users who have a stream open, or had one in the last hour.

create table stream_users (
  user_id text primary key references users (id) on delete cascade,
  complete_from xid8,
  expires_at timestamptz not null
);
comment on table stream_users is
  'The users whose changes are recorded. For everybody else a change costs one look into this table.';
comment on column stream_users.complete_from is
  'Every change that this transaction or a later one made is recorded. Null: the recording has just begun.';

create table changes (
  user_id text not null,
  xid xid8 not null default pg_current_xact_id(),
  position bigint not null generated always as identity,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
comment on table changes is
  'Changes, written by triggers in the transaction that made them. A reader keeps the snapshot of its last read as its cursor
and reads what that snapshot did not see. So a transaction that commits late is never skipped, whatever its position is.
It has no foreign key: a recording that ends meanwhile must not fail the change.';
comment on column changes.position is
  'The order in which one object changed: a second transaction gets its position after the first one has committed.';
create index changes_by_user on changes (user_id, xid);
create index changes_by_age on changes using brin (created_at);

create function delete_changes() returns trigger language plpgsql as $$
begin
  delete from changes using deleted_rows where changes.user_id = deleted_rows.user_id;
  return null;
end $$;
comment on function delete_changes is 'In place of a foreign key that cascades.';
create trigger delete_changes after delete on stream_users referencing old table as deleted_rows
  for each statement execute function delete_changes();

create function notify_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', user_id) from (select distinct user_id from recorded) changed;
  return null;
end $$;
comment on function notify_changes is 'Wakes the processes that have streams of these users.';
create trigger notify_changes after insert on changes referencing new table as recorded
  for each statement execute function notify_changes();

-- The functions below compare the rows of a statement by EXCEPT, whose time grows with their number, not with its square.

create function record_post_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (user_id, kind, data)
    select user_id, 'post', jsonb_build_object('change', 'created', 'postGroupId', id, 'status', status)
    from new_rows join stream_users using (user_id);
  elsif tg_op = 'DELETE' then
    insert into changes (user_id, kind, data)
    select user_id, 'post', jsonb_build_object('change', 'deleted', 'postGroupId', id, 'status', status)
    from old_rows join stream_users using (user_id);
  else
    insert into changes (user_id, kind, data)
    select user_id, 'post', jsonb_build_object('change', 'updated', 'postGroupId', id, 'status', status)
    from (
      select user_id, id, status, version, scheduled_at, media_ids from new_rows join stream_users using (user_id)
      except
      select user_id, id, status, version, scheduled_at, media_ids from old_rows join stream_users using (user_id)
    ) changed;
  end if;
  return null;
end $$;
create trigger record_created after insert on post_groups referencing new table as new_rows
  for each statement execute function record_post_changes();
create trigger record_updated after update on post_groups referencing old table as old_rows new table as new_rows
  for each statement execute function record_post_changes();
create trigger record_deleted after delete on post_groups referencing old table as old_rows
  for each statement execute function record_post_changes();

create function record_target_changes() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows join stream_users using (user_id)) then
    return null;
  end if;
  insert into changes (user_id, kind, data)
  select user_id, 'target', jsonb_build_object('change', 'updated', 'postId', id, 'postGroupId', post_group_id,
    'platform', platform, 'status', status, 'postedId', posted_id, 'permalink', permalink, 'errorCode', error ->> 'code')
  from (
    select user_id, id, post_group_id, platform, status, posted_id, permalink, error, thread_parts
    from new_rows join stream_users using (user_id)
    except
    select user_id, id, post_group_id, platform, status, posted_id, permalink, error, thread_parts
    from old_rows join stream_users using (user_id)
  ) changed;
  insert into changes (user_id, kind, data)
  select user_id, 'comment', jsonb_build_object('change', 'updated', 'postId', id, 'postGroupId', post_group_id,
    'platform', platform, 'statuses', jsonb_path_query_array(first_comment_results, '$[*].status'))
  from (
    select user_id, id, post_group_id, platform, first_comment_results from new_rows join stream_users using (user_id)
    except
    select user_id, id, post_group_id, platform, first_comment_results from old_rows join stream_users using (user_id)
  ) changed;
  return null;
end $$;
comment on function record_target_changes is
  'Targets are created and deleted with their post, or by an edit of it, and the change of the post tells that.';
create trigger record_updated after update on platform_posts referencing old table as old_rows new table as new_rows
  for each statement execute function record_target_changes();

create function record_connection_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (user_id, kind, data)
    select user_id, 'connection', jsonb_build_object('change', 'created', 'platformId', platform || '-' || account_id,
      'platform', platform, 'needsReconnect', reconnect_required_at is not null)
    from new_rows join stream_users using (user_id);
  elsif tg_op = 'DELETE' then
    insert into changes (user_id, kind, data)
    select user_id, 'connection', jsonb_build_object('change', 'deleted', 'platformId', platform || '-' || account_id,
      'platform', platform, 'needsReconnect', reconnect_required_at is not null)
    from old_rows join stream_users using (user_id);
  else
    insert into changes (user_id, kind, data)
    select user_id, 'connection', jsonb_build_object('change', 'updated', 'platformId', platform || '-' || account_id,
      'platform', platform, 'needsReconnect', reconnect_required_at is not null)
    from (
      select user_id, platform, account_id, handle, display_name, avatar_url, profile_url, traits, scopes,
        new_rows.expires_at, reconnect_required_at, account_restricted
      from new_rows join stream_users using (user_id)
      except
      select user_id, platform, account_id, handle, display_name, avatar_url, profile_url, traits, scopes,
        old_rows.expires_at, reconnect_required_at, account_restricted
      from old_rows join stream_users using (user_id)
    ) changed;
  end if;
  return null;
end $$;
create trigger record_created after insert on connections referencing new table as new_rows
  for each statement execute function record_connection_changes();
create trigger record_updated after update on connections referencing old table as old_rows new table as new_rows
  for each statement execute function record_connection_changes();
create trigger record_deleted after delete on connections referencing old table as old_rows
  for each statement execute function record_connection_changes();

create function record_media_changes() returns trigger language plpgsql as $$
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
      select user_id, id, post_group_id, status, type, mime_type, metadata, failure_code
      from new_rows join stream_users using (user_id)
      except
      select user_id, id, post_group_id, status, type, mime_type, metadata, failure_code
      from old_rows join stream_users using (user_id)
    ) changed;
  end if;
  return null;
end $$;
create trigger record_created after insert on media referencing new table as new_rows
  for each statement execute function record_media_changes();
create trigger record_updated after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function record_media_changes();
create trigger record_deleted after delete on media referencing old table as old_rows
  for each statement execute function record_media_changes();

create function record_webhook_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (user_id, kind, data)
    select user_id, 'webhook', jsonb_build_object('change', 'created', 'webhookId', id, 'isActive', is_active)
    from new_rows join stream_users using (user_id);
  elsif tg_op = 'DELETE' then
    insert into changes (user_id, kind, data)
    select user_id, 'webhook', jsonb_build_object('change', 'deleted', 'webhookId', id, 'isActive', is_active)
    from old_rows join stream_users using (user_id);
  else
    insert into changes (user_id, kind, data)
    select user_id, 'webhook', jsonb_build_object('change', 'updated', 'webhookId', id, 'isActive', is_active)
    from (
      select user_id, id, name, url, events, is_active, failure_count, last_triggered_at
      from new_rows join stream_users using (user_id)
      except
      select user_id, id, name, url, events, is_active, failure_count, last_triggered_at
      from old_rows join stream_users using (user_id)
    ) changed;
  end if;
  return null;
end $$;
comment on function record_webhook_changes is
  'Each attempt of a delivery sets last_triggered_at, so the change of a webhook tells of its deliveries too.';
create trigger record_created after insert on webhooks referencing new table as new_rows
  for each statement execute function record_webhook_changes();
create trigger record_updated after update on webhooks referencing old table as old_rows new table as new_rows
  for each statement execute function record_webhook_changes();
create trigger record_deleted after delete on webhooks referencing old table as old_rows
  for each statement execute function record_webhook_changes();

create function record_events() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, kind, data)
  select user_id, 'event', jsonb_build_object('id', emitted.id, 'name', type)
  from emitted join stream_users using (user_id);
  return null;
end $$;
comment on function record_events is 'For streams that receive the events of webhooks.';
create trigger record_events after insert on events referencing new table as emitted
  for each statement execute function record_events();
