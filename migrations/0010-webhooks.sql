-- Who wants to be told, what they were told, and how that went.

create table webhooks (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  -- Sealed.
  secret text not null,
  is_active boolean not null default true,
  -- Attempts that failed since the last that did not.
  failure_count integer not null default 0,
  -- Events in a row that used up all their attempts.
  exhausted_events integer not null default 0,
  last_triggered_at timestamptz,
  -- Whoever delivers holds this until then: one sender at a time, so that order is kept.
  leased_until timestamptz,
  lease text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhooks_of_user on webhooks (user_id, created_at);

create table webhook_deliveries (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null,
  event text not null,
  -- Those of one post are told in order, also when the first attempt fails.
  post_group_id text,
  -- Signed, sent and kept: the same bytes in every attempt.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When the next attempt is wanted; null when it is over, or the webhook is switched off.
  run_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz
);
-- Read from webhook to webhook: however much waits for one, the next is one step away. Ids of events sort by time.
create index waiting_deliveries on webhook_deliveries (webhook_id, run_at, event_id) where run_at is not null;
create index waiting_deliveries_of_post on webhook_deliveries (webhook_id, post_group_id) where run_at is not null;
create index deliveries_of_webhook on webhook_deliveries (webhook_id, created_at desc, id desc);
create index deliveries_by_age on webhook_deliveries using brin (created_at);

create table webhook_attempts (
  id text primary key,
  delivery_id text not null references webhook_deliveries (id) on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  -- Null: there was no answer.
  status integer,
  error text,
  -- The beginning of what was answered.
  answer text not null
);
create index attempts_of_delivery on webhook_attempts (delivery_id, at);

-- An event and its deliveries are one transaction: none is lost, and none is made for what did not happen. Events of
-- those who have no webhook cost one look into an index.
create function fan_out_event() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (id, webhook_id, event_id, event, post_group_id, body, run_at, created_at)
  select substr(md5(new.id || webhooks.id), 1, 24), webhooks.id, new.id, new.type, new.data ->> 'postGroupId',
    json_build_object('version', '1', 'event', new.type,
      'timestamp', to_char(new.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', new.data)::text,
    new.created_at, new.created_at
  from webhooks where webhooks.user_id = new.user_id and is_active and new.type = any (webhooks.events);
  if found then
    perform pg_notify('webhook_due', '');
  end if;
  return null;
end $$;
create trigger events_told after insert on events for each row execute function fan_out_event();
create index events_by_age on events using brin (created_at);
