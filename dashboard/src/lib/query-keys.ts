/** The names of what is read from the server. What an event changes is found by them, see `live/events.ts`. */
export const keys = {
  session: ['session'],
  /** What the operator of the service has chosen. */
  dashboardSettings: ['dashboard-settings'],
  twoFactor: ['two-factor'],
  passkeys: ['passkeys'],
  sessions: ['sessions'],
  auditLog: ['audit-log'],
  /** Quotas, plan, features. */
  account: ['account'],
  /** Every list of posts begins with this; filters follow. */
  posts: ['posts'],
  post: (postGroupId: string) => ['post', postGroupId],
  channels: ['channels'],
  limits: ['limits'],
  media: ['media'],
  webhooks: ['webhooks'],
  webhook: (webhookId: string) => ['webhook', webhookId],
  keys: ['api-keys'],
  drafts: ['drafts'],
  slots: ['slots'],
  profile: ['profile'],
} as const;
