-- Pauses and resumes the waiting deliveries of a webhook in batches.
-- online

alter table webhooks add column if not exists settling boolean not null default false;
comment on column webhooks.settling is
  'It was switched on or off, and its waiting deliveries are still being resumed or paused. Nothing is sent until then.';
create index concurrently if not exists webhooks_settling on webhooks (user_id) where settling;
create index concurrently if not exists webhook_deliveries_paused on webhook_deliveries (webhook_id, event_id)
  where status = 'pending' and run_at is null;
