-- The ids that deleted posts have on their networks stay known for a while, so that no equal post adopts one of them.

create table deleted_posts (
  platform text not null,
  account_id text not null,
  posted_id text not null,
  user_id text not null references users (id) on delete cascade,
  deleted_at timestamptz not null default now(),
  primary key (platform, account_id, posted_id)
);
comment on table deleted_posts is
  'What targets had published when they were deleted. A search after a lost answer does not take it for another target.';
create index deleted_posts_by_user on deleted_posts (user_id);

create or replace function delete_steps() returns trigger language plpgsql as $$
begin
  insert into deleted_posts (platform, account_id, posted_id, user_id)
  select platform, account_id, coalesce(posted_id, result ->> 'id'), user_id
  from deleted_rows
  -- The user does not exist when its posts are deleted together with it.
  join users on users.id = user_id
  -- The response of the network may have been stored without the outcome.
  left join publish_steps on posted_id is null and platform_post_id = deleted_rows.id and makes_visible
    and ended_at is not null
  -- No post is in doubt for that long.
  where coalesce(posted_id, result ->> 'id') is not null and deleted_rows.updated_at > now() - interval '7 days'
  on conflict do nothing;
  delete from publish_steps using deleted_rows where platform_post_id = deleted_rows.id;
  return null;
end $$;
comment on function delete_steps is 'In place of a foreign key that cascades. Keeps the ids of what was published.';
