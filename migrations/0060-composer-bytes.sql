-- How much each user's composer drafts take, so that an owner and the managed users have a limit together.

alter table quota_usage add column composer_bytes bigint not null default 0;
comment on column quota_usage.composer_bytes is 'Of the drafts of the composer, as JSON.';

create function count_composer_draft() returns trigger language plpgsql as $$
declare
  holder text := coalesce(new.user_id, old.user_id);
  more bigint := coalesce(octet_length(new.draft::text), 0) - coalesce(octet_length(old.draft::text), 0);
begin
  update quota_usage set composer_bytes = composer_bytes + more where user_id = holder;
  if not found then
    -- The user does not exist when its drafts are deleted together with it.
    insert into quota_usage as usage (user_id, composer_bytes) select id, more from users where id = holder
    on conflict (user_id) do update set composer_bytes = usage.composer_bytes + excluded.composer_bytes;
  end if;
  return null;
end $$;
comment on function count_composer_draft is 'Counts the bytes of composer drafts.';
create trigger count_composer_draft after insert or delete or update of draft on composer_drafts
  for each row execute function count_composer_draft();

insert into quota_usage as usage (user_id, composer_bytes)
select user_id, sum(octet_length(draft::text)) from composer_drafts group by user_id
on conflict (user_id) do update set composer_bytes = excluded.composer_bytes;
