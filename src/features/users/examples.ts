/** Examples for the API reference. A test validates each value against the schema of its route. */

const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' };
const user = { _id: '019a86c0a1b2c3d4e5f60718', email: 'ada@example.com', name: 'Ada', plan: 'pro' };
const signedIn = { accessToken: 'Zk3vQ8nB1xL6wP0rT5yH2mD9cJ4sF7aG', user };

export const signUp = {
  request: { ...credentials, name: 'Ada' },
  responses: { 200: signedIn, 202: { message: 'Open the link in the mail that we have sent to this address.' } },
};
export const signIn = { request: credentials, response: signedIn };
const linkToken = '3vQ8nB1xL6wP0rT5yH2mD9cJ4sF7aGZk3vQ8nB1xL6w';
export const changePassword = {
  request: { currentPassword: credentials.password, newPassword: 'copper lantern drifting north' },
  response: { message: 'Password changed. All other sessions have ended.' },
};
export const changeEmail = {
  request: { newEmail: 'ada@new.example', password: credentials.password },
  response: {
    message: 'If no other account has this address, we have sent it a link. The link works for one hour.',
  },
};
export const forgotPassword = {
  request: { email: credentials.email },
  response: { message: 'If this address has an account, we have sent it a link. The link works for one hour.' },
};
export const resetPassword = {
  request: { token: linkToken, newPassword: 'copper lantern drifting north' },
  response: { message: 'Password changed. All sessions have ended: sign in with the new password.' },
};
export const verifyEmail = {
  request: { token: linkToken },
  response: { message: 'The account is ready: sign in.' },
};
export const signOut = { response: { message: 'Signed out successfully' } };
export const getSession = { response: { user } };

const apiKey = {
  _id: '019a86c0b2c3d4e5f6071829',
  name: 'Website',
  keyPrefix: 'sk_mf3k2a9x_1a2b3c4d',
  createdAt: '2027-03-01T12:00:00.000Z',
  lastUsedAt: null,
  scopes: ['read', 'write'],
  expiresAt: '2028-03-01T00:00:00.000Z',
  allowedAddresses: ['203.0.113.7', '2001:db8::/32'],
  application: null,
};
const keyRules = {
  scopes: ['read', 'write'],
  expiresAt: '2028-03-01T00:00:00Z',
  allowedAddresses: ['203.0.113.7', '2001:db8::/32'],
};
const rawKey = 'sk_mf3k2a9x_1a2b3c4d.0123456789abcdef0123456789abcdef0123456789abcdef0123';

export const listApiKeys = { response: { apiKeys: [apiKey] } };
export const createApiKey = {
  request: { name: 'Website', ...keyRules },
  response: { message: 'API key created successfully', apiKey: { ...apiKey, rawKey } },
};
export const updateApiKey = {
  request: { name: 'Website', ...keyRules },
  response: { message: 'API key updated successfully', apiKey },
};
export const revokeApiKey = { response: { message: 'API key revoked successfully' } };
export const generateApiKey = { response: { message: 'API key generated successfully', apiKey: rawKey } };

const managedUser = {
  _id: '019a86c0c3d4e5f60718293a',
  username: 'client@example.com',
  displayName: 'Client',
  role: 'managed',
  dailyPostsLeft: 100,
  connectionsPageUrl: null,
  connectionsPageTokenExpiresAt: null,
};

export const listWorkspaceUsers = { response: { users: [managedUser] } };
export const createWorkspaceUser = {
  request: { username: 'client@example.com', displayName: 'Client' },
  response: { user: managedUser },
};
export const updateWorkspaceUser = {
  request: { displayName: 'Client', colour: 'teal' },
  response: { user: { ...managedUser, colour: 'teal' } },
};
export const setUpWorkspace = { response: { success: true } };
const attachToken = 'at_pZ0m3sV8q1Lk5xR7tYw2uB4cN6eH9jD0aF1gS3dK5lM';
export const createAttachToken = { response: { attachToken, expiresAt: '2027-03-01T12:10:00.000Z' } };
export const leaveWorkspace = { response: { message: 'You have left the workspace. Sign in again.' } };
export const attachWorkspaceUser = {
  request: { email: 'client@example.com', attachToken },
  response: { user: { ...managedUser, isActive: true }, alreadyInWorkspace: false },
};
export const detachWorkspaceUser = { response: { success: true } };
export const generateWorkspaceUserApiKey = {
  response: { message: 'API key generated successfully', apiKey: rawKey, userId: managedUser._id },
};
export const getConnectionUrl = {
  request: { expiresInDays: 30 },
  response: { url: 'https://crier.example.com/connect/7f3a…', tokenExpiresAt: '2027-04-01T12:00:00.000Z' },
};

export const revokeConnectionUrl = { response: { success: true } };

export const getAccountContext = {
  response: {
    success: true,
    context: {
      plane: 'personal',
      actorUserId: user._id,
      snapshotAt: '2027-03-01T12:00:00.000Z',
      serverTime: '2027-03-01T12:00:00.000Z',
      effectiveQuotaTime: '2027-03-01T12:00:00.000Z',
      plan: { key: 'starter', name: 'Starter', source: 'default' },
      features: { publishing: true, apiAccess: true, mcpAccess: true, analytics: false, mentionables: false },
      quotas: {
        monthlyPosts: {
          metric: 'posts.platform_monthly',
          scope: 'account',
          usageScope: 'account',
          unit: 'platform_post',
          limit: 15,
          used: 4,
          remaining: 11,
          periodStart: '2027-03-01T00:00:00.000Z',
          periodEnd: '2027-04-01T00:00:00.000Z',
          resetAt: '2027-04-01T00:00:00.000Z',
          periodTimeZone: 'UTC',
          connections: [],
        },
        scheduledPosts: {
          metric: 'posts.scheduled_active',
          scope: 'account',
          usageScope: 'account',
          unit: 'platform_post',
          limit: 3,
          used: 1,
          remaining: 2,
          resetAt: null,
        },
        scheduleHorizon: {
          metric: 'posts.schedule_horizon_days',
          unit: 'day',
          limit: 7,
          maxScheduledDate: '2027-03-08T12:00:00.000Z',
          resetAt: null,
        },
        connections: {
          metric: 'connections.total',
          scope: 'account',
          usageScope: 'account',
          unit: 'channel',
          limit: 3,
          used: 2,
          remaining: 1,
        },
        drafts: storedQuota('posts.drafts', 'post_group', 500, 12),
        uploads: storedQuota('media.open_uploads', 'upload', 200, 1),
        storage: storedQuota('media.stored_bytes', 'byte', 10_737_418_240, 52_428_800),
        webhooks: storedQuota('webhooks.total', 'webhook', 10, 1),
      },
      allowedPlatforms: ['linkedin', 'mastodon'],
      advisory: true,
    },
  },
};

function storedQuota(metric: string, unit: string, limit: number, used: number) {
  return { metric, scope: 'account', usageScope: 'account', unit, limit, used, remaining: limit - used };
}
