/** Query keys. `live/events.ts` invalidates by them. */
export const keys = {
  session: ['session'],
  /** Settings of the operator. */
  dashboardSettings: ['dashboard-settings'],
  twoFactor: ['two-factor'],
  passkeys: ['passkeys'],
  sessions: ['sessions'],
  auditLog: ['audit-log'],
  /** The managed users. */
  workspace: ['workspace'],
  /** Quotas, plan, features. */
  account: ['account'],
  /** The prefix of every list of posts; filters follow. */
  posts: ['posts'],
  /** What needs attention, of all brands. */
  attention: ['attention'],
  post: (postGroupId: string) => ['post', postGroupId],
  channels: ['channels'],
  limits: ['limits'],
  media: ['media'],
  webhooks: ['webhooks'],
  webhook: (webhookId: string) => ['webhook', webhookId],
  keys: ['api-keys'],
  drafts: ['drafts'],
  labels: ['labels'],
  slots: ['slots'],
  profile: ['profile'],
} as const;
