import { z } from 'zod';
import { isId } from '../lib/ids.ts';
import { parseInstant } from '../lib/times.ts';

/** The wire shapes of posts. Names and texts are the contract's; inside we use our own words. */

const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' });

/** `<platform>-<account id>`, split at the first dash. */
const platformId = z.string().meta({ examples: ['mastodon-109372843234@mastodon.social'] });

const platformIds = z.preprocess(
  (value) => (typeof value === 'string' ? parseJson(value) : value),
  z
    .array(platformId, {
      error: ({ input }) =>
        input == null ? 'platforms_missing' : input === notJson ? 'platforms_not_json' : 'platforms_not_array',
    })
    .min(1, 'platforms_empty')
    .superRefine((ids, context) => {
      const wrong = ids.find((id) => !splitPlatformId(id));
      if (wrong !== undefined) {
        const error = `Invalid platform ID format: ${wrong}`;
        context.addIssue({ code: 'custom', message: 'platform_id_invalid', params: { error } });
      } else if (new Set(ids).size < ids.length) context.addIssue({ code: 'custom', message: 'platforms_duplicate' });
    }),
);

export const CreatePost = z.object(
  {
    content: z
      .string({ error: 'content_required' })
      .refine((text) => text.trim() !== '', 'content_required')
      .meta({ description: 'The text of the post.' }),
    platforms: platformIds.meta({
      description: 'The connections to post to, as GET /platform-connections names them.',
    }),
    scheduledTime: z
      .string({ error: 'scheduled_time_invalid' })
      .refine((text) => text === '' || parseInstant(text) !== null, 'scheduled_time_invalid')
      .nullish()
      .meta({ format: 'date-time', description: 'When to publish. Left out: a draft.' }),
    status: z.enum(['draft', 'scheduled'], { error: 'status_invalid' }).nullish().or(z.literal('')),
    publishNow: z.boolean({ error: 'publish_now_invalid' }).optional().meta({ description: 'Publish at once.' }),
    platformSettings: z.record(z.string(), z.never({ error: 'platform_setting_unknown' })).optional(),
    mediaUrls: z.never({ error: 'media_urls_unavailable' }).optional(),
    firstComment: z.never({ error: 'first_comments_unavailable' }).optional(),
    firstComments: z.never({ error: 'first_comments_unavailable' }).optional(),
  },
  { error: 'content_required' },
);

export const Warning = z.looseObject({ code: z.string(), message: z.string() });

export const PostCreated = z.object({
  success: z.literal(true),
  postGroupId: z.string(),
  scheduledTime: timestamp.nullable(),
  warnings: z.array(Warning).optional(),
});

export const PostGroupPath = z.object({ postGroupId: z.string().refine(isId, 'post_group_id_invalid') });

const PlatformPost = z.object({
  _id: z.string(),
  platform: z.string(),
  platformId: z.string().nullable(),
  content: z.string(),
  status: z.enum(['draft', 'scheduled', 'pending', 'processing', 'published', 'failed']),
  postedId: z.string().nullable(),
  permalink: z.string().nullable(),
  isThread: z.boolean(),
  threadParts: z.array(z.unknown()),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      platformStatusCode: z.number().optional(),
      platformError: z.string().nullable(),
      failedAt: timestamp,
      retryable: z.boolean(),
    })
    .optional(),
  firstCommentResult: z.null(),
  firstCommentResults: z.array(z.unknown()),
});

export const PostGroup = z.object({
  success: z.literal(true),
  postGroupId: z.string(),
  status: z.enum(['draft', 'scheduled', 'published', 'failed', 'partially_published']),
  scheduledTime: timestamp.nullable(),
  platforms: z.array(platformId),
  platformSettings: z.record(z.string(), z.unknown()),
  firstComment: z.null(),
  firstComments: z.array(z.unknown()),
  posts: z.array(PlatformPost),
  media: z.array(z.unknown()),
});

export type CreatePost = z.output<typeof CreatePost>;
export type PostGroup = z.output<typeof PostGroup>;

/** Null if it names no connection. */
export function splitPlatformId(id: string): { platform: string; accountId: string } | null {
  const match = /^([a-z]+)-([^\s/?#]+)$/.exec(id);
  return match ? { platform: match[1]!, accountId: match[2]! } : null;
}

const notJson = Symbol('not JSON');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}
