-- Ends with a session what it began and has not finished: addresses, tokens, approvals and connections.
-- online

alter table email_changes add column if not exists session_id text references auth_sessions (id) on delete cascade;
alter table attach_tokens add column if not exists session_id text references auth_sessions (id) on delete cascade;
alter table oauth_codes add column if not exists session_id text references auth_sessions (id) on delete cascade;
alter table oauth_flows add column if not exists session_id text references auth_sessions (id) on delete cascade;
alter table account_choices add column if not exists session_id text references auth_sessions (id) on delete cascade;

comment on column oauth_codes.session_id is
  'In which the person approved. Null: a code that was used or never given, which stays after the session.';
comment on column oauth_flows.session_id is 'Null: the page of a connection link started the flow.';
comment on column account_choices.session_id is 'Null: the consent came from the page of a connection link.';

create index concurrently if not exists email_changes_by_session on email_changes (session_id);
create index concurrently if not exists attach_tokens_by_session on attach_tokens (session_id);
create index concurrently if not exists oauth_codes_by_session on oauth_codes (session_id);
create index concurrently if not exists oauth_flows_by_session on oauth_flows (session_id);
create index concurrently if not exists account_choices_by_session on account_choices (session_id);
