-- Accounts that their users have asked to delete. Nothing is published for them, and after some days they are erased.

alter table users add column deletion_at timestamptz;
comment on column users.deletion_at is
  'When the account is erased, as its user has asked. Until then, the user can keep it. Null: the account stays.';

create function leaving_users() returns setof text language sql stable as $$
  select id from users where deletion_at is not null
  union all
  select managed.id from users owner join users managed on managed.parent_user_id = owner.id
  where owner.deletion_at is not null
$$;
comment on function leaving_users is
  'Those whose account will be erased, or whose owner''s. They are few, so a statement reads them once for all of its rows.';

create or replace function closed_users() returns setof text language sql stable as $$
  select id from users where not is_active
  union all
  select managed.id from users owner join users managed on managed.parent_user_id = owner.id where not owner.is_active
  union all
  select id from users where deletion_at is not null
  union all
  select managed.id from users owner join users managed on managed.parent_user_id = owner.id
  where owner.deletion_at is not null
$$;
comment on function closed_users is
  'Those who are deactivated or will be erased, or whose owner is or will be. They are few, so a statement reads them once for all of its rows.';

create trigger notify_deletion_changed after update of deletion_at on users
  for each statement execute function notify_access_changed();
