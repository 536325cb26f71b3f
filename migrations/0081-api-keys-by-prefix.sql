-- The key of a logged call is found without reading all keys.
-- online

create index concurrently if not exists api_keys_by_prefix on api_keys (user_id, key_prefix);
