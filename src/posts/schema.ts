import { z } from 'zod';
import { isId } from '../lib/ids.ts';
import { parseInstant } from '../lib/times.ts';
import { MediaFile } from '../media/schema.ts';
import { NewPlatformSettings, PlatformSettings } from '../platforms/settings-schema.ts';
import { FirstComment, FirstCommentInput, FirstCommentsInput } from './first-comment-schema.ts';
import { createIds, updateIds } from './platform-ids.ts';

/** The wire shapes of posts. Names and texts are the contract's; inside we use our own words. */

const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' });
/** More than any network takes, and as much as is split into a thread in a moment. */
const maxContent = 300_000;
/** `<platform>-<account id>`. */
const platformId = z.string();
const groupStatus = z.enum(['draft', 'scheduled', 'published', 'failed', 'partially_published']);
const postStatus = z.enum(['draft', 'scheduled', 'pending', 'processing', 'published', 'failed']);

/** Of a status or a time, what is empty, null or 0 counts as absent. */
const orAbsent = <T extends z.ZodType>(field: T) => z.preprocess((value) => value || undefined, field.optional());
const scheduledTime = orAbsent(
  z.string({ error: 'scheduled_time_invalid' }).refine((text) => parseInstant(text) !== null, 'scheduled_time_invalid'),
);
const status = orAbsent(z.enum(['draft', 'scheduled'], { error: 'status_invalid' }));
const publishNow = z.boolean({ error: 'publish_now_invalid' }).optional();
const mediaUrls = z
  .array(z.string({ error: 'media_urls_entry_invalid' }).trim().min(1, 'media_urls_entry_invalid'), {
    error: 'media_urls_not_array',
  })
  .min(1, 'media_urls_empty')
  .max(10, 'media_urls_too_many')
  .optional()
  .meta({ description: 'Public https addresses of images and videos, fetched and attached now: all of them or none.' });

export const CreatePost = z.object({
  // That there is one is checked before: a LinkedIn repost may go without.
  content: z
    .string({ error: 'content_required' })
    .max(maxContent, 'content_over_cap')
    .default('')
    .meta({ description: 'The text of the post.' }),
  platforms: createIds.meta({
    type: 'array',
    items: { type: 'string' },
    description: 'The connections to post to, as GET /platform-connections names them.',
  }),
  scheduledTime: scheduledTime.meta({
    format: 'date-time',
    description: 'When to publish. Left out: a draft.',
    type: ['string', 'null'],
  }),
  status: status.meta({ type: 'string', enum: ['draft', 'scheduled'] }),
  publishNow: publishNow.meta({ description: 'Publish at once.' }),
  platformSettings: NewPlatformSettings.optional(),
  mediaUrls,
  firstComment: FirstCommentInput,
  firstComments: FirstCommentsInput,
});

export const UpdatePost = z.object({
  content: z.string({ error: 'content_not_string' }).max(maxContent, 'content_over_cap').optional(),
  platforms: updateIds.optional().meta({ type: 'array', items: { type: 'string' } }),
  scheduledTime: scheduledTime.meta({ format: 'date-time', type: ['string', 'null'] }),
  status: status.meta({ type: 'string', enum: ['draft', 'scheduled'] }),
  publishNow: publishNow.meta({ description: 'Publish at once.' }),
  platformSettings: PlatformSettings.optional(),
  mediaUrls,
  firstComment: FirstCommentInput,
  firstComments: FirstCommentsInput,
});

const Warning = z.looseObject({ code: z.string(), message: z.string() });

export const PostCreated = z.object({
  success: z.literal(true),
  postGroupId: z.string(),
  scheduledTime: timestamp.nullable(),
  warnings: z.array(Warning).optional(),
  media: z.array(z.object({ url: z.string(), ok: z.literal(true), mediaId: z.string() })).optional(),
});

export const PostUpdated = z.object({
  success: z.literal(true),
  message: z.string(),
  scheduledTime: timestamp.nullable(),
  warnings: z.array(Warning).optional(),
  postGroup: z.object({
    _id: z.string(),
    status: groupStatus,
    content: z.string(),
    platforms: z.array(platformId),
    scheduledTime: timestamp.optional(),
  }),
});

const Issue = z.object({
  platform: z.string(),
  code: z.string(),
  message: z.string(),
  field: z.string(),
  severity: z.enum(['error', 'warning']),
  constraint: z.string().optional(),
  currentValue: z.unknown().optional(),
  maxValue: z.unknown().optional(),
  minValue: z.unknown().optional(),
  suggestions: z.array(z.string()).optional(),
});

export const PostValidated = z.object({
  success: z.literal(true),
  validation: z.object({
    valid: z.boolean(),
    errors: z.array(Issue),
    warnings: z.array(Issue),
    summary: z.object({
      affectedPlatforms: z.array(z.string()),
      errorCount: z.number(),
      warningCount: z.number(),
    }),
  }),
  warnings: z.array(Warning).optional(),
});

export const PostGroupPath = z.object({ postGroupId: z.string().refine(isId, 'post_group_id_invalid') });

const PlatformPost = z.object({
  _id: z.string(),
  platform: z.string(),
  platformId: z.string().nullable(),
  content: z.string(),
  status: postStatus,
  postedId: z.string().nullable(),
  permalink: z.string().nullable(),
  isThread: z.boolean(),
  threadParts: z.array(
    z.object({
      index: z.number(),
      content: z.string(),
      status: z.enum(['pending', 'published', 'failed']),
      publishedId: z.string().nullable(),
    }),
  ),
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
  firstCommentResult: z.record(z.string(), z.unknown()).nullable(),
  firstCommentResults: z.array(z.record(z.string(), z.unknown())),
});

export const PostGroup = z.object({
  success: z.literal(true),
  postGroupId: z.string(),
  status: groupStatus,
  scheduledTime: timestamp.nullable(),
  platforms: z.array(platformId),
  platformSettings: z.record(z.string(), z.unknown()),
  firstComment: FirstComment.nullable(),
  firstComments: z.array(FirstComment),
  posts: z.array(PlatformPost),
  media: z.array(MediaFile),
});

export const ListPosts = z.object({
  // Never an error, not even when given twice.
  page: z.string().optional().catch(undefined),
  limit: z.string().optional().catch(undefined).meta({ description: '1 to 100, default 20.' }),
  status: z.enum([...groupStatus.options, ''], { error: 'list_status_invalid' }).optional(),
  platform: z.string().optional(),
  sortBy: z.enum(['createdAt', 'updatedAt', 'scheduledTime', ''], { error: 'list_sort_invalid' }).optional(),
  sortOrder: z.string().optional().catch(undefined).meta({ description: 'asc or desc; default desc.' }),
  fromDate: z.string({ error: 'from_date_invalid' }).optional(),
  toDate: z.string({ error: 'to_date_invalid' }).optional(),
});

const ListedPostGroup = z.object({
  postGroupId: z.string(),
  content: z.string(),
  status: groupStatus,
  scheduledTime: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  platforms: z.array(z.object({ platformId, platform: z.string(), status: postStatus })),
  posts: z.array(
    z.object({
      _id: z.string(),
      platform: z.string(),
      platformId,
      status: postStatus,
      postedId: z.string().nullable(),
      permalink: z.string().nullable(),
    }),
  ),
  mediaUrls: z.array(z.string()),
});

export const PostList = z.object({
  success: z.literal(true),
  posts: z.array(ListedPostGroup),
  pagination: z.object({
    page: z.number(),
    limit: z.number(),
    totalItems: z.number(),
    totalPages: z.number(),
    hasNextPage: z.boolean(),
    hasPrevPage: z.boolean(),
  }),
});

const PostLog = z.object({
  _id: z.string(),
  postGroupId: z.string(),
  postId: z.string().optional(),
  platform: z.string().optional(),
  event: z.string(),
  error: z.string().optional(),
  httpStatus: z.number().nullable().optional(),
  retryCount: z.number().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const PostLogs = z.object({ success: z.literal(true), logs: z.array(PostLog) });

export type CreatePost = z.output<typeof CreatePost>;
export type UpdatePost = z.output<typeof UpdatePost>;
export type ListPosts = z.output<typeof ListPosts>;
export type PostGroup = z.output<typeof PostGroup>;
export type ListedPostGroup = z.output<typeof ListedPostGroup>;
export type PostLog = z.output<typeof PostLog>;
