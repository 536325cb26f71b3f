-- Counts the wrong codes of two-factor sign-in by account.

alter table two_factors
  add column wrong_codes integer not null default 0,
  add column codes_refused_until timestamptz;
comment on column two_factors.wrong_codes is 'Since the last code that was right, or the last change of the password.';
comment on column two_factors.codes_refused_until is
  'Codes of the app are refused until then, except where the account signed in before. Null: they are not.';
