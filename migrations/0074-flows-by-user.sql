-- Indexes that find the oldest unfinished connect flows of a user.
-- online

create index concurrently if not exists oauth_flows_by_user on oauth_flows (user_id, expires_at);
create index concurrently if not exists account_choices_by_user on account_choices (user_id, expires_at);
