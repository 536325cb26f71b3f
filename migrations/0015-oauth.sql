-- Applications that people let use their account through MCP.

create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  secret_hash bytea check (length(secret_hash) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on table oauth_clients is 'Applications that have registered themselves. Unused ones are deleted.';
comment on column oauth_clients.name is 'What the application calls itself. Nobody has checked it.';
comment on column oauth_clients.secret_hash is 'The SHA-256 of its secret. Null: a public client, which has none.';

create table oauth_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  grant_id text not null,
  client_id text not null references oauth_clients (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  redirect_uri text not null,
  code_challenge text not null,
  resource text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table oauth_codes is
  'What a person approved, until the application exchanges it for a key. Used ones are kept for a day: a second use ends what the first gave.';
comment on column oauth_codes.code_hash is 'The SHA-256 of the code. The code itself is not stored.';
comment on column oauth_codes.code_challenge is 'The SHA-256 of the secret that the exchange must show (PKCE).';
comment on column oauth_codes.scopes is 'What the person let the application do.';
create index oauth_codes_by_expiry on oauth_codes (expires_at);

create table oauth_refresh_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  grant_id text not null,
  client_id text not null references oauth_clients (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  key_id text not null references api_keys (id) on delete cascade,
  resource text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
comment on table oauth_refresh_tokens is 'Tokens that an application exchanges once for a new key. They end with their key.';
comment on column oauth_refresh_tokens.token_hash is 'The SHA-256 of the token. The token itself is not stored.';
comment on column oauth_refresh_tokens.grant_id is 'The approval that all tokens and keys of this chain come from.';
create index oauth_refresh_tokens_by_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_by_client on oauth_refresh_tokens (client_id);
