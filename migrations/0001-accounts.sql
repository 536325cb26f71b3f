-- Users, sign-in, API keys and how much of a plan is used.

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  name text not null,
  image text,
  parent_user_id text references users (id),
  plan text not null,
  plan_is_default boolean not null default true,
  connection_quantity integer check (connection_quantity > 0),
  workspace_enabled boolean not null default false,
  api_access boolean not null default true,
  mcp_access boolean not null default true,
  role text not null default 'user' check (role in ('user', 'admin')),
  is_active boolean not null default true,
  held_at timestamptz,
  hold_expires_at timestamptz,
  hold_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table users is 'The tenants: they own connections, posts and keys.';
comment on column users.parent_user_id is
  'The owner of a managed user. The owner''s plan and limits count for all of its managed users.';
comment on column users.plan_is_default is 'False once a plan was chosen for this user.';
comment on column users.connection_quantity is 'The number of connections bought; null: the plan decides.';
comment on column users.api_access is 'False: an operator has switched it off, for this user and its managed users.';
comment on column users.mcp_access is 'The same for MCP clients.';
comment on column users.role is 'An admin may have managed users without workspace_enabled.';
create index users_by_parent on users (parent_user_id) where parent_user_id is not null;

create index users_inactive on users (id) where not is_active;

create function closed_users() returns setof text language sql stable as $$
  select id from users where not is_active
  union all
  select managed.id from users owner join users managed on managed.parent_user_id = owner.id where not owner.is_active
$$;
comment on function closed_users is
  'Those who are deactivated, or whose owner is. They are few, so a statement reads them once for all of its rows.';

create table auth_sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  token text not null unique check (token ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table auth_sessions is 'Sessions of signed-in users, written by better-auth.';
comment on column auth_sessions.token is 'The SHA-256 of the session token. The token itself is not stored.';
create index auth_sessions_by_user on auth_sessions (user_id);

create table auth_accounts (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table auth_accounts is
  'The ways in which a user can sign in, written by better-auth. A password is stored as a hash.';
create index auth_accounts_by_user on auth_accounts (user_id);

create table auth_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table auth_verifications is 'Pending verifications, written by better-auth.';
create index auth_verifications_by_identifier on auth_verifications (identifier);

create table api_keys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  kind text not null check (kind in ('dashboard', 'current')),
  name text not null check (length(name) between 1 and 100),
  key_prefix text not null,
  key_hash bytea not null unique check (length(key_hash) = 32),
  scopes text[] not null default '{read,write,media,webhooks,workspace}' check (
    scopes <> '{}' and scopes <@ '{read,write,media,webhooks,workspace}'::text[]
  ),
  allowed_addresses text[] not null default '{}',
  application text,
  during_membership boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on table api_keys is 'API keys. Only the SHA-256 of a key is stored.';
comment on column api_keys.scopes is 'What the key can be used for. Each route needs one of them.';
comment on column api_keys.allowed_addresses is 'Addresses and CIDR ranges from which the key can be used. Empty: from anywhere.';
comment on column api_keys.application is
  'What the application calls itself that got the key when a person approved it. Null: the person made the key.';
comment on column api_keys.during_membership is 'The user was in a workspace when the key was made. The key ends with the membership.';
comment on column api_keys.expires_at is 'Null: never.';
create index api_keys_by_user on api_keys (user_id, created_at) where revoked_at is null;
create unique index api_keys_one_current on api_keys (user_id) where kind = 'current' and revoked_at is null;

create table connection_links (
  user_id text primary key references users (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  token text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
comment on table connection_links is
  'Links to a page where the client behind a managed user connects accounts. A link is found by the hash of its token.';
comment on column connection_links.token is 'Encrypted, so that a second request for the link returns the same one.';

create table attach_tokens (
  user_id text primary key references users (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null
);
comment on table attach_tokens is
  'The token with which a user consents to join a workspace, once. It is good for nothing else. Only its SHA-256 is stored.';

create table usage_counters (
  owner_id text not null references users (id) on delete cascade,
  period text not null,
  connection text not null,
  used integer not null check (used >= 0),
  primary key (owner_id, period, connection)
);
comment on table usage_counters is 'Platform posts of a calendar month (UTC), reserved when they are scheduled.';
comment on column usage_counters.period is 'The first day of the month, as YYYY-MM-DD.';
comment on column usage_counters.connection is
  '<platform>-<account id>. A plan that counts the whole account adds the counters up, so that a change of plan loses nothing.';

create function notify_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', '');
  return null;
end $$;
comment on function notify_access_changed is
  'Every process caches what a key gives access to, and must drop its cache as soon as that changes.';
create trigger notify_access_changed after update of revoked_at, scopes, allowed_addresses, expires_at or delete on api_keys
  for each statement execute function notify_access_changed();
create trigger notify_access_changed
  after update of plan, parent_user_id, workspace_enabled, api_access, mcp_access, role, is_active, held_at,
    hold_expires_at or delete on users
  for each statement execute function notify_access_changed();

create function refuse(reason text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'CR403', message = reason;
end $$;
comment on function refuse is 'Rolls back a statement that would exceed a limit of the plan.';
