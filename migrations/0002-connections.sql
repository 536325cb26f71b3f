-- Our standing permissions to act as an account on a network.

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
  -- Sealed; bound to this row's id.
  credentials text not null check (credentials <> ''),
  scopes text[] not null default '{}',
  -- Null where the network gives no date.
  expires_at timestamptz,
  -- Set by a definite refusal only, never by a blip; cleared by reconnecting.
  reconnect_required_at timestamptz,
  -- Until then the network asked us to wait.
  cool_down_until timestamptz,
  last_success_at timestamptz,
  last_error jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, platform, account_id)
);
