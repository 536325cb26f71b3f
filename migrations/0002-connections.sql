-- Connections to accounts on the platforms, and the flows that create them.

create table connections (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  platform text not null,
  account_id text not null check (account_id ~ '^[^\s/?#]+$'),
  handle text not null,
  display_name text not null,
  avatar_url text,
  profile_url text,
  traits jsonb not null default '{}',
  account_read_at timestamptz,
  sandbox boolean not null default false,
  credentials text not null check (credentials <> ''),
  scopes text[] not null default '{}',
  expires_at timestamptz,
  refresh_expires_at timestamptz,
  expiry_announced_for timestamptz,
  renewing_until timestamptz,
  reconnect_required_at timestamptz,
  account_restricted boolean not null default false,
  broken_notice_at timestamptz,
  cool_down_until timestamptz,
  last_success_at timestamptz,
  last_error jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, platform, account_id)
-- Each published post updates its connection. Free space lets the new version stay on the same page.
) with (fillfactor = 80);
-- Several users can have connected the same account.
create index connections_by_account on connections (platform, account_id);
-- For the metrics: few are broken, and only those are read.
create index connections_broken on connections (platform, account_restricted) where reconnect_required_at is not null;
comment on table connections is 'Standing permissions to act as an account on a platform.';
comment on column connections.traits is 'What differs from account to account: paid tier, limits of its server.';
comment on column connections.account_read_at is 'When the platform was last asked about the account and its traits.';
comment on column connections.sandbox is 'The account exists in the sandbox alone: the first live start ends the connection.';
comment on column connections.credentials is 'Encrypted, and bound to the id of this row.';
comment on column connections.expires_at is 'When the credentials expire; null where the platform gives no date.';
comment on column connections.refresh_expires_at is
  'When the refresh token expires; null where the platform gives no date.';
comment on column connections.expiry_announced_for is
  'The expiry for which token.expiring was emitted. Credentials with another expiry are announced again.';
comment on column connections.renewing_until is
  'The lease of the process that renews the credentials. A refresh token works once, so only one process may use it.';
comment on column connections.reconnect_required_at is
  'Set when the platform definitely refuses the credentials, never after a temporary failure. Cleared by reconnecting.';
comment on column connections.account_restricted is
  'With reconnect_required_at: the platform refuses the account (it is suspended), not the credentials.';
comment on column connections.broken_notice_at is
  'When its owner was mailed that the connection has to be made again. Cleared when it works again after a refusal.';
comment on column connections.cool_down_until is 'The platform asked us to send nothing before this time.';

-- What a key gives access to includes the connections to which it can post.
create trigger notify_access_changed after insert or delete or update of traits on connections
  for each statement execute function notify_access_changed();

create table oauth_flows (
  state_hash bytea primary key check (length(state_hash) = 32),
  user_id text not null references users (id) on delete cascade,
  platform text not null,
  secrets text not null,
  link_hash bytea check (length(link_hash) = 32),
  expires_at timestamptz not null
);
comment on column oauth_flows.link_hash is
  'The hash of the connection link whose page started the flow; null: a person who is signed in.';
comment on table oauth_flows is
  'Users who are on a platform''s consent page. The key is the hash of `state`, which only their browser has.';
comment on column oauth_flows.secrets is
  'Encrypted: the PKCE verifier, the form fields, and what the adapter needs when the user returns.';
create index oauth_flows_by_expiry on oauth_flows (expires_at);

create table account_choices (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  platform text not null,
  grants text not null,
  expires_at timestamptz not null
);
comment on table account_choices is 'Accounts that a consent gave access to, until the user has chosen among them.';
comment on column account_choices.grants is 'Encrypted.';
create index account_choices_by_expiry on account_choices (expires_at);
