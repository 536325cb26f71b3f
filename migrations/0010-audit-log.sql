-- Who did what to an account.

create table audit_log (
  id text primary key,
  user_id text not null,
  at timestamptz not null,
  event text not null,
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'connection_link', 'workspace_owner', 'operator', 'system')),
  actor_id text,
  address text,
  details jsonb not null default '{}'
);
comment on table audit_log is 'Security events of an account, which its owner can read. Kept for a year.';
comment on column audit_log.user_id is 'The account concerned. Not a reference: the entry that a user was deleted stays.';
comment on column audit_log.actor_id is
  'A user''s id, the prefix of an API key, or the name of an operator. Null: the caller is not known.';
comment on column audit_log.address is 'The network address of the caller. Null for operators and background work.';
create index audit_log_by_user on audit_log (user_id, id);
create index audit_log_by_time on audit_log using brin (at);
