-- Events, the webhooks that subscribe to them, and the deliveries with their attempts.

create table events (
  id text primary key,
  user_id text not null,
  type text not null,
  post_group_id text,
  body text not null,
  created_at timestamptz not null
);
comment on table events is
  'The outbox: what happened, written in the same transaction as the change. It has no foreign key: each insert holds a row
of the user, and checking it row by row cost too much in a burst.';
comment on column events.body is
  'The bytes that webhooks receive. The emitter writes them once, and nothing serialises them again.';
create index events_by_age on events using brin (created_at);

create function delete_events() returns trigger language plpgsql as $$
begin
  delete from events using deleted_rows where user_id = deleted_rows.id;
  return null;
end $$;
comment on function delete_events is 'In place of a foreign key that cascades.';
create trigger delete_events after delete on users referencing old table as deleted_rows
  for each statement execute function delete_events();

create table webhooks (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  secret text not null,
  is_active boolean not null default true,
  failure_count integer not null default 0,
  exhausted_events integer not null default 0,
  last_triggered_at timestamptz,
  leased_until timestamptz,
  lease text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table webhooks is 'Addresses that receive events.';
comment on column webhooks.secret is 'Encrypted.';
comment on column webhooks.failure_count is 'Failed attempts since the last successful one.';
comment on column webhooks.exhausted_events is 'Events in a row that used up all their attempts.';
comment on column webhooks.leased_until is
  'The end of the lease. One process at a time delivers to a webhook, so that the order of events is kept.';
create index webhooks_by_user on webhooks (user_id, created_at);

create table webhook_deliveries (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null,
  event text not null,
  post_group_id text,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  run_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz
);
comment on table webhook_deliveries is 'One event to one webhook.';
comment on column webhook_deliveries.post_group_id is
  'Deliveries of one post are sent in order, also when an attempt of the first one fails.';
comment on column webhook_deliveries.body is 'Signed and sent: the same bytes in every attempt.';
comment on column webhook_deliveries.run_at is
  'When the next attempt is due; null when the delivery has ended or the webhook is switched off.';
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, run_at, event_id) where run_at is not null;
comment on index webhook_deliveries_waiting is
  'Read from webhook to webhook: many waiting deliveries of one do not slow down the step to the next. Ids of events sort
by time.';
create index webhook_deliveries_waiting_by_group on webhook_deliveries (webhook_id, post_group_id)
  where run_at is not null;
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

create table webhook_attempts (
  id text primary key,
  delivery_id text not null references webhook_deliveries (id) on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  answer text not null
);
comment on table webhook_attempts is 'The requests that were made for a delivery.';
comment on column webhook_attempts.status is 'The HTTP status; null: there was no response.';
comment on column webhook_attempts.answer is 'The beginning of the response body.';
create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, at);

create function fan_out_events() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (id, webhook_id, event_id, event, post_group_id, body, run_at, created_at)
  select substr(md5(emitted.id || webhooks.id), 1, 24), webhooks.id, emitted.id, emitted.type, emitted.post_group_id,
    emitted.body, emitted.created_at, emitted.created_at
  from emitted
  join webhooks on webhooks.user_id = emitted.user_id and is_active and emitted.type = any (webhooks.events);
  if found then
    perform pg_notify('webhook_due', '');
  end if;
  return null;
end $$;
comment on function fan_out_events is
  'An event and its deliveries are one transaction: none is lost, and none is created for an event that was rolled back. The events of a
user without webhooks cost one look into an index.';
create trigger fan_out_events after insert on events referencing new table as emitted
  for each statement execute function fan_out_events();
