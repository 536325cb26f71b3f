-- One row per Idempotency-Key: claimed while its request runs, then the answer that a retry gets back.

create table idempotency_keys (
  user_id text not null references users (id) on delete cascade,
  key text not null,
  -- Of the resource and the body: the same key for anything else is a conflict.
  fingerprint bytea not null,
  claim_token text not null,
  claimed_at timestamptz not null,
  answer jsonb,
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (claimed_at);
