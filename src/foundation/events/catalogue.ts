import { z } from 'zod';
import { definePostLogEvent, defineWebhookEvent, timestamp } from './define-event.ts';

/**
 * Every event that Crier emits: its name, its fields and when it happens. No other code spells out event names:
 * emitters import them from here, and the documentation and the OpenAPI document are generated from here. The order of
 * the fields is the order of the keys on the wire.
 */

const postGroupId = z.string().describe('The post group, as returned by create-post.');
const target = {
  postId: z.string().describe('The target: `_id` in `posts` of get-post.'),
  postGroupId,
  platform: z.string(),
};
const mediaFileId = z.string().nullable().describe('The media file that caused this, or null.');
const byScheduler = {
  errorCode: z.string().nullable().describe('What is wrong with the media file, or null if no file caused this.'),
  demotedAt: timestamp,
};

/** Events that a webhook can subscribe to. */
export const webhookEvents = {
  postScheduled: defineWebhookEvent({
    name: 'post.scheduled',
    summary: 'a post is scheduled',
    data: z.object({
      postGroupId,
      scheduledTime: timestamp,
      platforms: z.array(z.string()).describe('The connections, as `<platform>-<id>`.'),
    }),
    example: {
      postGroupId: '0199f1c2a3b4c5d6e7f80911',
      scheduledTime: '2027-03-05T09:00:00.000Z',
      platforms: ['mastodon-109876543210', 'bluesky-did:plc:ewvi7nxzyoun6zhxrhs64oiz'],
    },
  }),
  postPublished: defineWebhookEvent({
    name: 'post.published',
    summary: 'one target of a post is published',
    data: z.object({
      ...target,
      platformId: z.string().nullable().describe('The account on the network.'),
      postedId: z.string().nullable().describe('The id of the published post on the network.'),
      permalink: z.string().nullable(),
      publishedAt: timestamp,
    }),
    example: {
      postId: '0199f1c2a3b4c5d6e7f80912',
      postGroupId: '0199f1c2a3b4c5d6e7f80911',
      platform: 'mastodon',
      platformId: '109876543210',
      postedId: '112233445566778899',
      permalink: 'https://mastodon.social/@ada/112233445566778899',
      publishedAt: '2027-03-04T05:06:07.089Z',
    },
  }),
  postFailed: defineWebhookEvent({
    name: 'post.failed',
    summary: 'one target of a post cannot be published',
    data: z.object({
      ...target,
      error: z.object({ code: z.string(), message: z.string() }).describe('The same error as in get-post.'),
      failedAt: timestamp,
    }),
    example: {
      postId: '0199f1c2a3b4c5d6e7f80912',
      postGroupId: '0199f1c2a3b4c5d6e7f80911',
      platform: 'mastodon',
      error: {
        code: 'PLATFORM_AUTH_EXPIRED',
        message: 'Mastodon no longer accepts the access token. Reconnect the account.',
      },
      failedAt: '2027-03-04T05:06:07.089Z',
    },
  }),
  postDemoted: defineWebhookEvent({
    name: 'post.demoted',
    summary: 'a scheduled post is returned to draft',
    data: z.discriminatedUnion('changeType', [
      z.object({
        postGroupId,
        reason: z.literal('media_changed'),
        changeType: z.enum(['attach', 'detach', 'prune_reference', 'reorder']),
        mediaFileId,
      }),
      z.object({
        postGroupId,
        reason: z.literal('media_backstop'),
        changeType: z.literal('scheduler_media_backstop'),
        mediaFileId,
        ...byScheduler,
      }),
      z.object({
        postGroupId,
        reason: z.literal('state_mismatch'),
        changeType: z.literal('scheduler_state_repair'),
        mediaFileId: z.null(),
        ...byScheduler,
      }),
    ]),
    example: {
      postGroupId: '0199f1c2a3b4c5d6e7f80911',
      reason: 'media_backstop',
      changeType: 'scheduler_media_backstop',
      mediaFileId: '0199f1c2a3b4c5d6e7f80913',
      errorCode: 'MEDIA_REFERENCE_MISSING',
      demotedAt: '2027-03-04T05:06:07.089Z',
    },
  }),
  tokenExpiring: defineWebhookEvent({
    name: 'token.expiring',
    summary: 'access to an account expires within 7 days and can be renewed only by connecting the account again',
    data: z.object({
      platform: z.string(),
      platformId: z.string().describe('The connection, as `<platform>-<id>`.'),
      username: z.string().nullable(),
      expiresAt: timestamp,
    }),
    example: {
      platform: 'linkedin',
      platformId: 'linkedin-aBcDeFgHiJ',
      username: 'ada',
      expiresAt: '2027-03-11T05:06:07.000Z',
    },
  }),
};

export const webhookEventNames = Object.values(webhookEvents).map(({ name }) => name);
export type WebhookEventName = (typeof webhookEventNames)[number];

/** Sent on request to one webhook, whatever it subscribes to. */
export const webhookTest = defineWebhookEvent({
  name: 'webhook.test',
  summary: 'you request a test delivery',
  data: z.object({ webhookId: z.string(), name: z.string() }),
  example: { webhookId: '0199f1c2a3b4c5d6e7f80914', name: 'Mine' },
});

const none = z.object({});
const status = z.enum(['draft', 'scheduled']);
const firstComment = z.object({ index: z.number() });
const mediaFile = z.object({ mediaFileId: z.string(), code: z.string().optional() });

/** Entries of a post's log. */
export const postLogEvents = {
  scheduled: definePostLogEvent('scheduled', none),
  processing: definePostLogEvent('processing', none),
  publishAttempted: definePostLogEvent('publish_attempted', none),
  publishSucceeded: definePostLogEvent('publish_succeeded', z.object({ postedId: z.string() })),
  publishFailed: definePostLogEvent('publish_failed', z.object({ errorCode: z.string(), retryable: z.boolean() })),
  publishRetry: definePostLogEvent('publish_retry', z.object({ nextAttemptAt: timestamp, errorCode: z.string() })),
  publishHeld: definePostLogEvent('publish_held', none),
  retryRequested: definePostLogEvent('retry_requested', none),
  statusChanged: definePostLogEvent(
    'status_changed',
    z.object({
      from: status,
      to: status,
      reason: z.enum(['update', 'media_changed', 'media_backstop', 'state_mismatch']),
      mediaFileId: z.string().optional(),
      errorCode: z.string().optional(),
    }),
  ),
  mediaFinalizeSucceeded: definePostLogEvent('media_finalize_succeeded', mediaFile),
  mediaFinalizeFailed: definePostLogEvent('media_finalize_failed', mediaFile),
  documentUploadSucceeded: definePostLogEvent('linkedin_document_upload_succeeded', none),
  documentUploadFailed: definePostLogEvent('linkedin_document_upload_failed', none),
  firstCommentPosted: definePostLogEvent(
    'first_comment_posted',
    firstComment.extend({ commentId: z.string().nullable() }),
  ),
  firstCommentFailed: definePostLogEvent('first_comment_failed', firstComment.extend({ errorCode: z.string() })),
};

export const postLogEventNames = Object.values(postLogEvents).map(({ name }) => name);
export type PostLogEventName = (typeof postLogEventNames)[number];
