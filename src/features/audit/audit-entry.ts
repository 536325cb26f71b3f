/** Every security event in the audit log, with its text for the owner of the account. */
export const auditEvents = {
  signed_up: 'The account was created',
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  sign_in_failed: 'A sign-in failed',
  session_ended: 'A session was ended',
  password_changed: 'The password was changed',
  password_reset_requested: 'A password reset link was requested',
  password_reset: 'The password was reset',
  email_verified: 'The email address was verified',
  email_change_requested: 'A change of email address was requested',
  email_changed: 'The email address was changed',
  email_released: 'The email address was assigned to its owner',
  two_factor_enabled: 'Two-factor sign-in was turned on',
  two_factor_disabled: 'Two-factor sign-in was turned off',
  recovery_code_used: 'A recovery code was used',
  recovery_codes_replaced: 'New recovery codes were created',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  api_key_created: 'An API key was created',
  api_key_updated: 'An API key was changed',
  api_key_revoked: 'An API key was revoked',
  request_bodies_on: 'Storing the bodies of API calls was turned on for an hour',
  request_bodies_off: 'Storing the bodies of API calls was turned off',
  connection_added: 'An account was connected',
  connection_renewed: 'An account was connected again',
  connection_removed: 'An account was disconnected',
  member_created: 'A managed user was created',
  member_attached: 'A user joined the workspace',
  member_detached: 'A user left the workspace',
  attach_token_created: 'A token to join a workspace was created',
  connection_link_created: 'A connection link was created',
  connection_link_revoked: 'A connection link was revoked',
  webhook_created: 'A webhook was created',
  webhook_address_changed: 'The address of a webhook was changed',
  webhook_secret_replaced: 'The secret of a webhook was replaced',
  webhook_deleted: 'A webhook was deleted',
  plan_changed: 'The plan was changed',
  access_changed: 'API, MCP or workspace access was changed',
  role_changed: 'The role was changed',
  held: 'The account was put on hold',
  released: 'The account was released from hold',
  deactivated: 'The account was deactivated',
  activated: 'The account was reactivated',
  deletion_requested: 'Deletion of the account was requested',
  deletion_cancelled: 'The account was kept',
  deleted: 'The account was deleted',
  invited: 'An invitation was sent',
  exported: 'The data of the account was exported',
} as const;
export type AuditEvent = keyof typeof auditEvents;

export const actorKinds = ['user', 'api_key', 'connection_link', 'workspace_owner', 'operator', 'system'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** Who did it, and from which IP address. */
export interface Actor {
  kind: ActorKind;
  id: string | null;
  address: string | null;
}

export interface AuditEntry {
  /** The account concerned. Its owner can read the entry. */
  userId: string;
  event: AuditEvent;
  actor: Actor;
  /** Names and ids. Never a secret or a token. */
  details?: Readonly<Record<string, string | number | boolean | null>>;
}
