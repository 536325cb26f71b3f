-- A file that is received in a form counts towards the quota from its first byte, before it has a record.

alter table orphaned_files
  add column reserved_for text,
  add column reserved_bytes bigint not null default 0;
comment on column orphaned_files.reserved_for is
  'The user whose quota counts the file until it has a record or is deleted. Without a foreign key, because the file must
be deleted even if the user no longer exists.';
comment on column orphaned_files.reserved_bytes is 'How much of the quota it takes. The file has at most this size.';

create function count_reservation() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform change_quota_usage(new.reserved_for, more_bytes => new.reserved_bytes);
  else
    perform change_quota_usage(old.reserved_for, more_bytes => -old.reserved_bytes);
  end if;
  return null;
end $$;
comment on function count_reservation is 'Counts files that are being received in a form.';
create constraint trigger count_new_reservation after insert on orphaned_files deferrable initially deferred
  for each row when (new.reserved_bytes > 0) execute function count_reservation();
create constraint trigger count_ended_reservation after delete on orphaned_files deferrable initially deferred
  for each row when (old.reserved_bytes > 0) execute function count_reservation();
