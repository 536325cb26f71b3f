import type { WebhookEvent } from '@crier/client';

type Samples = { [Name in WebhookEvent['event']]: (now: string) => Extract<WebhookEvent, { event: Name }>['data'] };

const [postGroupId, postId] = ['0199f1c2a3b4c5d6e7f80911', '0199f1c2a3b4c5d6e7f80912'];

const samples: Samples = {
  'post.scheduled': (now) => ({ postGroupId, scheduledTime: now, platforms: ['mastodon-109876543210'] }),
  'post.published': (now) => ({
    postId,
    postGroupId,
    platform: 'mastodon',
    platformId: '109876543210',
    postedId: '112233445566778899',
    permalink: 'https://mastodon.social/@ada/112233445566778899',
    publishedAt: now,
  }),
  'post.failed': (now) => ({
    postId,
    postGroupId,
    platform: 'mastodon',
    error: { code: 'PLATFORM_AUTH_EXPIRED', message: 'The access to the account has ended. Connect it again.' },
    failedAt: now,
  }),
  'post.demoted': () => ({ postGroupId, reason: 'media_changed', changeType: 'detach', mediaFileId: null }),
  'token.expiring': (now) => ({
    platform: 'linkedin',
    platformId: 'linkedin-aBcDeFgHiJ',
    username: 'ada',
    expiresAt: now,
  }),
};

export const sampleEvents = Object.keys(samples) as WebhookEvent['event'][];

/** The body of a request that a webhook could get. */
export function sampleBody(event: WebhookEvent['event'], now: Date): string {
  const timestamp = now.toISOString();
  return JSON.stringify({ version: '1', event, timestamp, data: samples[event](timestamp) });
}
