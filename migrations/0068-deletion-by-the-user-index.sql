-- The few accounts that will be erased are found without reading all users.
-- online

create index concurrently if not exists users_leaving on users (deletion_at) where deletion_at is not null;
