-- When an API key last got more rights: a key that was widened with a session ends with what that session made.
alter table api_keys add column if not exists widened_at timestamptz;
comment on column api_keys.widened_at is 'When a change last gave the key more rights. Null: never.';
