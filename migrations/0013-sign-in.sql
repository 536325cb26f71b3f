-- Sessions, known devices, two-factor sign-in and passkeys.

alter table auth_sessions add column last_used_at timestamptz not null default now();
comment on column auth_sessions.created_at is 'When the user signed in. A session ends 30 days later, however often it is used.';
comment on column auth_sessions.last_used_at is 'Exact to a minute.';

create table known_devices (
  user_id text not null references users (id) on delete cascade,
  token_hash bytea not null check (length(token_hash) = 32),
  address text not null,
  device text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, token_hash, address)
);
comment on table known_devices is
  'Where a user has signed in before: attempts from there count apart from those of strangers, so that nobody can lock the user out.';
comment on column known_devices.token_hash is 'The SHA-256 of the device cookie.';
comment on column known_devices.address is 'The network address; of an IPv6 address its network of 64 bits.';
comment on column known_devices.device is 'Browser and system in words.';
create index known_devices_by_token on known_devices (token_hash);

create table two_factors (
  user_id text primary key references users (id) on delete cascade,
  secret text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_used_step bigint
);
comment on table two_factors is 'The secret that a user shares with an authenticator app.';
comment on column two_factors.secret is 'Encrypted.';
comment on column two_factors.confirmed_at is 'Null: not switched on yet, because the user has not entered a first code.';
comment on column two_factors.last_used_step is
  'The time step (30 s) of the last code that was accepted. A code of this step or an earlier one is not accepted again.';

create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (user_id, code_hash)
);
comment on table recovery_codes is 'The SHA-256 of codes with 80 random bits, each of which replaces a code of the app once.';

create table sign_in_challenges (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id text not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  tries integer not null default 0
);
comment on table sign_in_challenges is 'Sign-ins with a correct password that still need a code.';
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);

create table auth_passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  credential_id text not null unique,
  public_key text not null,
  counter double precision not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on table auth_passkeys is 'Passkeys, written by better-auth.';
comment on column auth_passkeys.counter is
  'How often the authenticator has signed, up to 2^32. Not a bigint, which better-auth would get as text.';
create index auth_passkeys_by_user on auth_passkeys (user_id);
