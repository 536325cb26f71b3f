-- Deletes a connection or a webhook alone, however many rows refer to it. Those are changed later, in batches.
-- online

create table if not exists parent_ids (
  id text primary key,
  kind text not null check (kind in ('connections', 'webhooks')),
  user_id text not null,
  removed_at timestamptz
);
comment on table parent_ids is
  'The ids of connections and webhooks. Many rows refer to one of them, so they refer to this table, where the id stays
after the row itself was deleted: nothing waits for a change of all of them. A periodic task detaches or deletes them in
batches.';
comment on column parent_ids.user_id is 'Not a foreign key: the id stays until no row refers to it.';
comment on column parent_ids.removed_at is 'When the connection or webhook was deleted, by the clock of the database.';
create index concurrently if not exists parent_ids_removed on parent_ids (kind, user_id) where removed_at is not null;

create or replace function keep_parent_id() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into parent_ids (id, kind, user_id) values (new.id, tg_table_name, new.user_id)
    on conflict (id) do update set removed_at = null;
  else
    update parent_ids set removed_at = now() where id = old.id;
  end if;
  return null;
end $$;
create or replace trigger keep_parent_id after insert or delete on connections
  for each row execute function keep_parent_id();
create or replace trigger keep_parent_id after insert or delete on webhooks
  for each row execute function keep_parent_id();

-- The lock keeps a row from being deleted before its id is stored.
-- batch
insert into parent_ids (id, kind, user_id)
select id, 'connections', user_id from connections
where not exists (select from parent_ids where parent_ids.id = connections.id)
limit 1000 for key share of connections
on conflict (id) do nothing;
-- batch
insert into parent_ids (id, kind, user_id)
select id, 'webhooks', user_id from webhooks
where not exists (select from parent_ids where parent_ids.id = webhooks.id)
limit 1000 for key share of webhooks
on conflict (id) do nothing;

alter table platform_posts drop constraint if exists platform_posts_connection_id_fkey,
  add constraint platform_posts_connection_id_fkey
  foreign key (connection_id) references parent_ids (id) on delete set null not valid;
alter table publish_lanes drop constraint if exists publish_lanes_connection_id_fkey,
  add constraint publish_lanes_connection_id_fkey
  foreign key (connection_id) references parent_ids (id) on delete cascade not valid;
alter table webhook_deliveries drop constraint if exists webhook_deliveries_webhook_id_fkey,
  add constraint webhook_deliveries_webhook_id_fkey
  foreign key (webhook_id) references parent_ids (id) on delete cascade not valid;
alter table platform_posts validate constraint platform_posts_connection_id_fkey;
alter table publish_lanes validate constraint publish_lanes_connection_id_fkey;
alter table webhook_deliveries validate constraint webhook_deliveries_webhook_id_fkey;
