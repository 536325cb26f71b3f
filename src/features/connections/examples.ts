/** Examples for the API reference. A test validates each value against the schema of its route. */

const platformId = 'mastodon-109348222000000001';

export const getPlatformLimits = {
  response: {
    success: true,
    schemaVersion: 1,
    source: '@service/platform-limits',
    packageVersion: '1.0.0',
    limitsLastUpdated: '2026-03-11',
    supportedPlatforms: ['twitter'],
    platforms: {
      twitter: {
        platform: 'twitter',
        displayName: 'Twitter/X',
        characters: { standard: 280, premium: 25000 },
        counting: { unit: 'weighted', networkLinkLength: 23 },
        images: { supported: true, maxSizeBytes: 5242880, maxCount: 4, formats: ['image/jpeg', 'image/png'] },
        videos: {
          supported: true,
          maxDurationSeconds: 140,
          minDurationSeconds: 0.5,
          maxSizeBytes: 536870912,
          maxCount: 1,
          formats: ['video/mp4', 'video/quicktime'],
          aspectRatioRange: { min: 0.3333333333333333, max: 3 },
        },
        requirements: {
          requiresMedia: false,
          requiresVideo: false,
          supportsTextOnly: true,
          supportsThreading: true,
        },
        documents: null,
        gifs: null,
        thumbnails: null,
        altText: { maxCharacters: 1000, kinds: ['image'] },
        firstComments: { maxCharacters: 280 },
      },
    },
  },
};

export const listConnections = {
  response: {
    success: true,
    connections: [
      {
        platformId,
        username: 'ada',
        displayName: 'Ada',
        profileImageUrl: 'https://files.mastodon.social/accounts/avatars/ada.png',
        profileUrl: 'https://mastodon.social/@ada',
        accessTokenExpiresAt: null,
        tokenStatus: 'valid',
        connectionStatus: 'active',
        tokenExpiresIn: null,
        lastSuccessfulPost: '2027-03-04T09:00:00.412Z',
        lastError: null,
        subscriptionType: null,
        platform: 'mastodon',
        avatarPath: '/api/v1/connections/mastodon-109348222000000001/avatar',
        health: 'healthy',
        healthMessage: 'Ready to publish.',
        connectedAt: '2027-03-01T12:00:00.000Z',
      },
    ],
  },
};

export const testConnection = {
  response: {
    platform: 'mastodon',
    platformId,
    username: 'ada',
    status: 'ok',
    message: 'Connected as ada',
    permissions: ['read', 'write', 'push'],
    tokenExpiresIn: null,
    lastSuccessfulPost: '2027-03-04T09:00:00.412Z',
    lastError: null,
  },
};

export const listConnectablePlatforms = {
  response: {
    platforms: [{ platform: 'linkedin', name: 'LinkedIn', kind: 'oauth', available: true, fields: null }],
  },
};

export const startConnect = {
  request: { fields: {} },
  response: { url: 'https://www.linkedin.com/oauth/v2/authorization?response_type=code&client_id=…' },
};

export const createSandboxAccount = {
  response: {
    connected: [{ platformId: 'bluesky-did:plc:7iza6de2dwap2sbkpav7c6c6', handle: 'calmheron417.bsky.social' }],
  },
};

export const finishConnect = { response: '<!doctype html><title>Account connected</title>…' };

export const getAccountChoice = {
  response: {
    platform: 'facebook',
    accounts: [{ accountId: '102000000000001', handle: 'Harbour', displayName: 'Harbour', avatarUrl: null }],
  },
};

export const chooseAccounts = {
  request: { accountIds: ['102000000000001'] },
  response: { connected: [{ platformId: 'facebook-102000000000001', handle: 'Harbour' }] },
};

export const deleteConnection = { response: { success: true } };
