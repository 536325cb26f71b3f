-- Deleting a key, or finding the current one of an application, reads only its refresh tokens.
-- online

create index concurrently if not exists oauth_refresh_tokens_by_key on oauth_refresh_tokens (key_id);

create index concurrently if not exists oauth_refresh_tokens_by_user on oauth_refresh_tokens (user_id);

create index concurrently if not exists api_keys_by_revocation on api_keys (revoked_at) where revoked_at is not null;
