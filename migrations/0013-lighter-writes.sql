-- A burst of ten thousand posts writes each of these rows several times: what no reader needs is not written.

-- Begins with the same column as platform_posts_by_text.
drop index platform_posts_of_connection;
-- No index mentions the status of a target any more: taking one up changes none of them, if its page has room.
drop index scheduled_platform_posts;
create index queued_post_groups on post_groups (user_id) include (target_count)
  where status = 'scheduled' and processing_status = 'pending' and not publish_now;
drop index stranded_platform_posts;
create index stranded_platform_posts on platform_posts (id) where connection_id is null and run_at is not null;
alter table platform_posts set (fillfactor = 75);
alter table publish_steps set (fillfactor = 60);
alter table connections set (fillfactor = 80);

-- Both go with their group, which goes with its user.
alter table post_logs drop constraint post_logs_user_id_fkey;
alter table platform_posts drop constraint platform_posts_user_id_fkey;

-- Events that are told together are fanned out together.
drop trigger events_told on events;
drop function fan_out_event();
create function fan_out_events() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (id, webhook_id, event_id, event, post_group_id, body, run_at, created_at)
  select substr(md5(told.id || webhooks.id), 1, 24), webhooks.id, told.id, told.type, told.data ->> 'postGroupId',
    json_build_object('version', '1', 'event', told.type,
      'timestamp', to_char(told.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', told.data)::text,
    told.created_at, told.created_at
  from told join webhooks on webhooks.user_id = told.user_id and is_active and told.type = any (webhooks.events);
  if found then
    perform pg_notify('webhook_due', '');
  end if;
  return null;
end $$;
create trigger events_told after insert on events referencing new table as told
  for each statement execute function fan_out_events();
