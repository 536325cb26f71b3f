-- Which webhooks respond slowly, and which were made while the user was in a workspace.
-- online

alter table webhooks
  add column if not exists is_slow boolean not null default false,
  add column if not exists during_membership boolean not null default false;
comment on column webhooks.is_slow is
  'An attempt of the last batch took long. Slow webhooks have their own slots, so that they do not delay others.';
comment on column webhooks.during_membership is
  'It was made, or got its address or secret, while the user was in a workspace, so its owner may know them. The webhook
ends with the membership.';

-- Members keep a webhook from before only if the audit log shows that it has not changed since they joined.
-- batch
update webhooks set during_membership = true where id in (
  select webhooks.id from webhooks join users on users.id = webhooks.user_id
  where parent_user_id is not null and not during_membership and not exists (
    select from audit_log
    where audit_log.user_id = users.id and event = 'member_attached' and at > webhooks.updated_at
  )
  limit 500
);
