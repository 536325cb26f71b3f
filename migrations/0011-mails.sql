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
comment on column mails.next_attempt_at is 'Null: the mail was sent or given up.';
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;

create function notify_mail_queued() returns trigger language plpgsql as $$
begin
  perform pg_notify('mail_queued', '');
  return null;
end $$;
comment on function notify_mail_queued is 'Wakes the workers, so that a mail leaves at once.';
create trigger notify_mail_queued after insert on mails for each statement execute function notify_mail_queued();
