-- Statistics read from the platforms, and people who interacted with posts.

create table statistics_cache (
  key text primary key,
  value jsonb,
  expires_at timestamptz,
  fetching_until timestamptz
);
comment on table statistics_cache is 'Answers of the platforms, cached so that many readers cost one request.';
comment on column statistics_cache.expires_at is 'When the value expires; null while there is none.';
comment on column statistics_cache.fetching_until is
  'The lease of the process that fetches the value. Other processes wait for its answer.';
create index statistics_cache_by_expiry on statistics_cache (expires_at);

create table statistics_cooldowns (
  key text primary key,
  until timestamptz not null
);
comment on table statistics_cooldowns is
  'A platform, or one account there, asked us not to read its statistics before this time.';

create table linkedin_people (
  user_id text not null references users (id) on delete cascade,
  person_id text not null,
  name text not null,
  source text not null check (source in ('comment', 'reaction')),
  last_seen_at timestamptz not null,
  primary key (user_id, person_id)
);
comment on table linkedin_people is
  'People who commented on or reacted to a user''s LinkedIn posts, and who can therefore be mentioned, for two days.';
create index linkedin_people_by_last_seen_at on linkedin_people (user_id, last_seen_at desc);
