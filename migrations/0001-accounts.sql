-- Users, sign-in (better-auth's tables under our names) and API keys.

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  name text not null,
  image text,
  -- A managed user belongs to an owner, whose plan and limits count.
  parent_user_id text references users (id),
  plan text not null,
  -- Connections bought; null leaves it to the plan.
  connection_quantity integer check (connection_quantity > 0),
  workspace_enabled boolean not null default false,
  is_active boolean not null default true,
  held_at timestamptz,
  hold_expires_at timestamptz,
  hold_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index users_of_owner on users (parent_user_id) where parent_user_id is not null;

create table auth_sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- The SHA-256 of the token, never the token.
  token text not null unique check (token ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_sessions_of_user on auth_sessions (user_id);

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
create index auth_accounts_of_user on auth_accounts (user_id);

create table auth_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_verifications_of_identifier on auth_verifications (identifier);

create table api_keys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  kind text not null check (kind in ('dashboard', 'current')),
  name text not null check (length(name) between 1 and 100),
  key_prefix text not null,
  key_hash bytea not null unique check (length(key_hash) = 32),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_of_user on api_keys (user_id, created_at) where revoked_at is null;
create unique index one_current_api_key on api_keys (user_id) where kind = 'current' and revoked_at is null;

-- Every process forgets a key, or a user, as soon as it changes.
create function tell_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', '');
  return null;
end $$;
create trigger api_keys_changed after update of revoked_at or delete on api_keys
  for each statement execute function tell_access_changed();
create trigger users_changed
  after update of plan, parent_user_id, workspace_enabled, is_active, held_at, hold_expires_at or delete on users
  for each statement execute function tell_access_changed();
