-- Counts the wrong codes of two-factor sign-in by account, and ends event streams with their session.

alter table two_factors
  add column wrong_codes integer not null default 0,
  add column codes_refused_until timestamptz;
comment on column two_factors.wrong_codes is 'Since the last code that was right, or the last change of the password.';
comment on column two_factors.codes_refused_until is
  'Codes of the app are refused until then, except where the account signed in before. Null: they are not.';

create function notify_session_ended() returns trigger language plpgsql as $$
begin
  if exists (select from ended) then perform pg_notify('session_ended', ''); end if;
  return null;
end $$;
comment on function notify_session_ended is
  'Event streams end with the session that opened them. Keys are not affected, so their cache is kept.';
create trigger notify_session_ended after delete on auth_sessions
  referencing old table as ended for each statement execute function notify_session_ended();
