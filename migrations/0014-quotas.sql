-- What users hold of everything that stays until it is deleted, and that their plans limit.

alter table media add column bytes bigint not null default 0;
alter table media add column receiving_bytes bigint not null default 0;
comment on column media.bytes is 'The size of the stored file; 0 while there is none, or while its size is not known.';
comment on column media.receiving_bytes is
  'Bytes of uploads that are running now. They count as stored, so that uploads at the same time cannot exceed the quota.';
update media set bytes = coalesce((metadata ->> 'size')::bigint, 0);

create table quota_usage (
  user_id text primary key references users (id) on delete cascade,
  drafts integer not null default 0,
  uploads integer not null default 0,
  bytes bigint not null default 0,
  webhooks integer not null default 0
) with (fillfactor = 50);
comment on table quota_usage is
  'How much each user holds, kept by triggers. What an owner and its managed users hold together is the sum of their rows.';
comment on column quota_usage.uploads is 'Media that wait for their file.';
comment on column quota_usage.bytes is 'Of uploaded files. Renditions do not count.';
insert into quota_usage (user_id, drafts, uploads, bytes, webhooks)
select id, (select count(*) from post_groups where user_id = users.id and status = 'draft'),
  (select count(*) from media where user_id = users.id and status = 'uploading'),
  (select coalesce(sum(bytes), 0) from media where user_id = users.id),
  (select count(*) from webhooks where user_id = users.id)
from users;

create function change_quota_usage(
  holder text,
  more_drafts integer default 0,
  more_uploads integer default 0,
  more_bytes bigint default 0,
  more_webhooks integer default 0
) returns void language plpgsql as $$
declare
  limits jsonb := nullif(current_setting('crier.quotas', true), '');
  owner text;
  exceeded record;
begin
  if limits is not null then
    select coalesce(parent_user_id, id) into owner from users where id = holder;
    -- Users of one owner share its quotas, so they are counted one after the other.
    perform pg_advisory_xact_lock(hashtextextended('quotas of ' || owner, 0));
  end if;
  update quota_usage set drafts = drafts + more_drafts, uploads = uploads + more_uploads, bytes = bytes + more_bytes,
    webhooks = webhooks + more_webhooks
  where user_id = holder;
  if not found then
    -- The user does not exist when its rows are deleted together with it.
    insert into quota_usage as usage (user_id, drafts, uploads, bytes, webhooks)
    select id, more_drafts, more_uploads, more_bytes, more_webhooks from users where id = holder
    on conflict (user_id) do update set drafts = usage.drafts + excluded.drafts,
      uploads = usage.uploads + excluded.uploads, bytes = usage.bytes + excluded.bytes,
      webhooks = usage.webhooks + excluded.webhooks;
  end if;
  if limits is null then
    return;
  end if;
  select quota.*, (limits ->> metric)::bigint as allowed into exceeded
  from (
    select sum(drafts) as drafts, sum(uploads) as uploads, sum(bytes) as bytes, sum(webhooks) as webhooks
    from quota_usage
    where user_id = any (array(select owner union all select id from users where parent_user_id = owner))
  ) held, lateral (values
    ('DRAFT_LIMIT_REACHED', 'drafts', more_drafts, held.drafts),
    ('UPLOAD_LIMIT_REACHED', 'uploads', more_uploads, held.uploads),
    ('STORAGE_LIMIT_REACHED', 'bytes', more_bytes, held.bytes),
    ('WEBHOOK_LIMIT_REACHED', 'webhooks', more_webhooks, held.webhooks)
  ) as quota (code, metric, more, total)
  where more > 0 and total > (limits ->> metric)::bigint
  limit 1;
  if exceeded.code is not null then
    raise exception using errcode = 'CR403', message = exceeded.code, detail = json_build_object(
      'plan', limits ->> 'plan', 'limit', exceeded.allowed, 'used', exceeded.total - exceeded.more,
      'requested', exceeded.more)::text;
  end if;
end $$;
comment on function change_quota_usage is
  'Counts what a user holds. Fails, and so rolls the transaction back, if that exceeds the limits that the transaction has
set; without them everything is allowed: what Crier itself does, such as returning a post to draft, is never refused.';

-- The triggers are deferred to the end of the transaction. The rows of quota_usage are thus the last that a transaction
-- locks, which prevents deadlocks with the counters of the month.

create function count_draft() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform change_quota_usage(old.user_id, more_drafts => -1);
  else
    perform change_quota_usage(new.user_id, more_drafts => case when new.status = 'draft' then 1 else -1 end);
  end if;
  return null;
end $$;
comment on function count_draft is 'Called for groups that become a draft or cease to be one.';
create constraint trigger count_new_draft after insert on post_groups deferrable initially deferred
  for each row when (new.status = 'draft') execute function count_draft();
create constraint trigger count_changed_draft after update of status on post_groups deferrable initially deferred
  for each row when ((old.status = 'draft') <> (new.status = 'draft')) execute function count_draft();
create constraint trigger count_deleted_draft after delete on post_groups deferrable initially deferred
  for each row when (old.status = 'draft') execute function count_draft();

create function count_media() returns trigger language plpgsql as $$
declare
  more_uploads integer := 0;
  more_bytes bigint := 0;
begin
  if tg_op <> 'INSERT' then
    more_uploads := more_uploads - (old.status = 'uploading')::integer;
    more_bytes := more_bytes - old.bytes - old.receiving_bytes;
  end if;
  if tg_op <> 'DELETE' then
    more_uploads := more_uploads + (new.status = 'uploading')::integer;
    more_bytes := more_bytes + new.bytes + new.receiving_bytes;
  end if;
  perform change_quota_usage(coalesce(new.user_id, old.user_id), more_uploads => more_uploads, more_bytes => more_bytes);
  return null;
end $$;
comment on function count_media is 'Counts files and uploads.';
create constraint trigger count_new_media after insert on media deferrable initially deferred
  for each row execute function count_media();
create constraint trigger count_changed_media after update of status, bytes, receiving_bytes on media
  deferrable initially deferred for each row
  when ((old.status, old.bytes, old.receiving_bytes) is distinct from (new.status, new.bytes, new.receiving_bytes))
  execute function count_media();
create constraint trigger count_deleted_media after delete on media deferrable initially deferred
  for each row execute function count_media();

create function count_webhook() returns trigger language plpgsql as $$
begin
  perform change_quota_usage(coalesce(new.user_id, old.user_id), more_webhooks => case tg_op when 'DELETE' then -1 else 1 end);
  return null;
end $$;
comment on function count_webhook is 'Counts webhooks.';
create constraint trigger count_webhook after insert or delete on webhooks deferrable initially deferred
  for each row execute function count_webhook();
