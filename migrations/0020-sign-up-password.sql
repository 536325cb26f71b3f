-- A sign-up needs no password where addresses are verified: it is chosen when the link is opened.

alter table pending_sign_ups alter column password_hash drop not null;
comment on column pending_sign_ups.password_hash is
  'Counts only if the link is used without a new one, through the API. Null: none was given with the sign-up.';
