-- Which passkeys were added while the user was in a workspace, and which keys are for the MCP server.
-- online

alter table auth_passkeys add column if not exists during_membership boolean not null default false;
comment on column auth_passkeys.during_membership is
  'It was added while the user was in a workspace, so its owner may have added it. The passkey ends with the membership.';

alter table api_keys add column if not exists for_mcp boolean not null default false;
comment on column api_keys.for_mcp is 'An agent got the key for the MCP server. It needs MCP access, whatever its requests say.';

-- Members keep a passkey from before only if the audit log shows that they joined later.
-- batch
update auth_passkeys set during_membership = true where id in (
  select auth_passkeys.id from auth_passkeys join users on users.id = auth_passkeys.user_id
  where parent_user_id is not null and not during_membership and not exists (
    select from audit_log
    where audit_log.user_id = users.id and event = 'member_attached' and at > auth_passkeys.created_at
  )
  limit 500
);

-- batch
update api_keys set for_mcp = true where id in (
  select api_keys.id from oauth_refresh_tokens join api_keys on api_keys.id = oauth_refresh_tokens.key_id
  where revoked_at is null and not for_mcp and resource not like '%/api/v1'
  limit 500
);
