/**
 * One set of tables for all platforms. Data of a single platform is JSON in `data` or a row in `records`. The column
 * `network` holds the platform id; it keeps its name so that data folders of earlier versions stay readable.
 */
export const schema = `
create table if not exists accounts (
  network text not null, id text not null, handle text not null, display_name text not null,
  avatar_url text, profile_url text, premium integer not null, suspended integer not null default 0,
  data text not null, created_at integer not null,
  primary key (network, id), unique (network, handle)
) strict;

create table if not exists apps (
  network text not null, client_id text not null, client_secret text not null, name text not null,
  website text, redirect_uris text not null, scope text not null, created_at integer not null,
  primary key (network, client_id)
) strict;

create table if not exists codes (
  network text not null, code text not null, client_id text not null, account_id text not null,
  redirect_uri text not null, scope text not null, code_challenge text, data text not null, created_at integer not null,
  primary key (network, code)
) strict;

create table if not exists tokens (
  network text not null, token text not null, kind text not null, account_id text, client_id text,
  scope text not null, data text not null, created_at integer not null, expires_at integer, revoked_at integer,
  primary key (network, token)
) strict;
create index if not exists tokens_of_account on tokens (network, account_id);

create table if not exists media (
  network text not null, id text not null, account_id text not null, kind text not null, type text not null,
  bytes integer not null, sha256 text not null, description text, post_id text,
  ready_at integer not null, fails integer not null, data text not null, created_at integer not null,
  primary key (network, id)
) strict;
create index if not exists media_by_content on media (sha256);

create table if not exists posts (
  position integer primary key autoincrement,
  network text not null, id text not null, account_id text not null, text text not null, media text not null,
  in_reply_to text, url text not null, created_at integer not null, edited_at integer, idempotency_key text,
  data text not null, request_headers text not null, request_body text not null,
  unique (network, id)
) strict;
create index if not exists posts_of_account on posts (network, account_id, position);
create index if not exists posts_in_reply on posts (network, in_reply_to) where in_reply_to is not null;
create index if not exists posts_by_key on posts (network, account_id, idempotency_key) where idempotency_key is not null;

create table if not exists reactions (
  network text not null, post_id text not null, account_id text not null, kind text not null,
  primary key (network, post_id, kind, account_id)
) strict;

create table if not exists records (
  network text not null, kind text not null, id text not null, account_id text, data text not null, created_at integer not null,
  primary key (network, kind, id)
) strict;

create table if not exists mails (
  id integer primary key autoincrement, message_id text not null unique, recipient text not null, sender text not null,
  subject text not null, text text not null, html text not null, received_at integer not null
) strict;
`;

/** The tables that every platform has rows in. */
export const tables = ['accounts', 'apps', 'codes', 'tokens', 'media', 'posts', 'reactions', 'records'];
/** `reset` with `keepAccounts` leaves these tables, so that connections keep working. */
export const tablesOfAccounts = ['accounts', 'apps', 'tokens'];
