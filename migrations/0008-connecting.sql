-- What connecting and keeping connected need to remember.

alter table connections
  -- Of the refresh token, where the network tells.
  add column refresh_expires_at timestamptz,
  -- Whoever renews the credentials holds this until then; everybody else waits. A refresh token works once.
  add column renewing_until timestamptz,
  -- When the network last told us about the account: paid tier, limits of its server.
  add column account_read_at timestamptz;

-- A person on the way to a network's consent page and back. The key is a hash of `state`, which only they carry.
create table oauth_flows (
  state_hash bytea primary key check (length(state_hash) = 32),
  user_id text not null references users (id) on delete cascade,
  platform text not null,
  -- Sealed: the PKCE verifier, what the person filled in, what the adapter wants to remember.
  secrets text not null,
  expires_at timestamptz not null
);
create index oauth_flows_by_age on oauth_flows (expires_at);

-- Accounts that a consent opened, waiting for the person to choose among them.
create table account_choices (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  platform text not null,
  -- Sealed grants.
  grants text not null,
  expires_at timestamptz not null
);
create index account_choices_by_age on account_choices (expires_at);
