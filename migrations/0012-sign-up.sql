-- Sign-ups that wait for their address to be verified, invitations, and links that set a new password or another address.

create table pending_sign_ups (
  token_hash bytea primary key check (length(token_hash) = 32),
  email text not null check (email = lower(email)),
  name text not null,
  password_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table pending_sign_ups is
  'The user is created when the address is verified, so that nobody can occupy the address of somebody else.';
comment on column pending_sign_ups.token_hash is 'The SHA-256 of the token in the mail. The token itself is not stored.';
create index pending_sign_ups_by_email on pending_sign_ups (email);

create table invitations (
  user_id text primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  email text not null unique check (email = lower(email)),
  plan text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table invitations is 'People whom the operator has invited and who have not signed up yet.';
comment on column invitations.user_id is 'The id that the user will have, so that the audit log of the user begins with the invitation.';
comment on column invitations.token_hash is 'The SHA-256 of the token in the link.';
comment on column invitations.plan is 'Null: the default plan.';

create table password_resets (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id text not null references users (id) on delete cascade,
  is_mailed boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table password_resets is 'Links that set a new password, each once.';
comment on column password_resets.token_hash is 'The SHA-256 of the token in the link.';
comment on column password_resets.is_mailed is
  'True: who has the link can read mail to the address of the user. False: the operator has handed it over.';
create index password_resets_by_user on password_resets (user_id);

create table email_changes (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id text not null references users (id) on delete cascade,
  new_email text not null check (new_email = lower(new_email)),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table email_changes is 'Links that give a user another address, each once. They go to the new address.';
comment on column email_changes.token_hash is 'The SHA-256 of the token in the link.';
create index email_changes_by_user on email_changes (user_id);
