-- Mails to users. A mail is stored with the change that causes it, and a worker sends it.

create table mails (
  id text primary key,
  recipient text not null,
  kind text not null,
  data text,
  once_key text unique,
  created_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  error text
);
comment on table mails is 'Mails that wait to be sent, and a record of those that were.';
comment on column mails.data is
  'What the text needs, encrypted, because it may hold a link that signs in. Null as soon as the mail is sent or given up.';
comment on column mails.once_key is 'A second mail with the same key is not stored, so that a repeated cause sends one mail.';
comment on column mails.attempts is
  'Counted when an attempt begins. It is also the fencing token: a later claim of the mail has a higher number.';
comment on column mails.next_attempt_at is
  'While an attempt runs, the end of its lease. Null: the mail was sent or given up.';
comment on column mails.error is 'Why the last attempt failed. Null while an attempt runs.';
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;

create function notify_mail_queued() returns trigger language plpgsql as $$
begin
  if exists (select from queued) then
    perform pg_notify('mail_queued', '');
  end if;
  return null;
end $$;
comment on function notify_mail_queued is 'Wakes the workers, so that a mail leaves at once.';
create trigger notify_mail_queued after insert on mails referencing new table as queued
  for each statement execute function notify_mail_queued();
