-- Colours of managed users, and workspaces that their owners set up.
-- online

alter table users add column if not exists brand_colour text;
comment on column users.brand_colour is 'The colour of a managed user in the dashboard of the owner. Null: derived from the id.';
alter table users add column if not exists workspace_denied boolean not null default false;
comment on column users.workspace_denied is 'An operator has switched workspace access off, so the owner cannot set up a workspace.';
