-- What the networks count, remembered for a while so that many ask them once.
create table statistics_cache (
  key text primary key,
  value jsonb,
  -- Of the value; null while there is none.
  expires_at timestamptz,
  -- Whoever asks the network holds this until then; everybody else waits for the answer.
  asking_until timestamptz
);
create index statistics_cache_by_age on statistics_cache (expires_at);

-- Until then a network, or one account there, asked us to leave its statistics alone.
create table statistics_rests (
  key text primary key,
  until timestamptz not null
);

-- People seen commenting on or reacting to a user's LinkedIn posts: they can be mentioned.
create table linkedin_people (
  user_id text not null references users (id) on delete cascade,
  person_id text not null,
  name text not null,
  source text not null check (source in ('comment', 'reaction')),
  last_seen_at timestamptz not null,
  primary key (user_id, person_id)
);
create index linkedin_people_by_time on linkedin_people (user_id, last_seen_at desc);
