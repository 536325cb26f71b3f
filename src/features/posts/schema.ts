import { z } from 'zod';
import { mediaLimits } from '../../foundation/errors/media.ts';
import { postLimits } from '../../foundation/errors/posts.ts';
import { shownAs } from '../../foundation/http/openapi/schemas.ts';
import { Pagination } from '../../foundation/http/pages.ts';
import { boundedRecord } from '../../foundation/http/requests/bounded-record.ts';
import { connectionId, success, timestamp, warnings } from '../../foundation/http/shapes.ts';
import { isId } from '../../foundation/lib/ids.ts';
import { maxQuery } from '../../foundation/text/search-words.ts';
import { parseInstant } from '../../foundation/time/times.ts';
import { NewPlatformSettings, PlatformSettings } from '../../platforms/settings-schema.ts';
import { TextCounting } from '../connections/platform-limits-schema.ts';
import { AltText, MediaFile } from '../files/schema.ts';
import { nextSlot } from './create/scheduled-time.ts';
import { FirstComment, FirstCommentInput, FirstCommentResult, FirstCommentsInput } from './first-comment-schema.ts';
import { LabelFilter, Labels, LabelsInput } from './labels/schema.ts';
import { createIds, updateIds } from './platform-ids.ts';
import { PlatformMedia } from './platform-media.ts';

/** The wire shapes of posts. Names and texts come from the contract. Internally, Crier uses its own terms. */

/** More than any platform accepts, but little enough to split into a thread without a noticeable delay. */
const groupStatus = z.enum(['draft', 'scheduled', 'published', 'failed', 'partially_published']);
const postStatus = z.enum(['draft', 'scheduled', 'pending', 'processing', 'published', 'failed']);

/** An empty, null or zero status or time counts as absent. */
const orAbsent = <T extends z.ZodType>(field: T) => z.preprocess((value) => value || undefined, field.optional());
const scheduledTime = orAbsent(
  z
    .string({ error: 'scheduled_time_invalid' })
    .refine((text) => text === nextSlot || parseInstant(text) !== null, 'scheduled_time_invalid'),
);
const status = orAbsent(z.enum(['draft', 'scheduled'], { error: 'status_invalid' }));
const publishNow = z
  .boolean({ error: 'publish_now_invalid' })
  .optional()
  .describe('True: publish now. Cannot be combined with a future `scheduledTime` or with `status: draft`.');
const mediaAddress = z.string({ error: 'media_urls_entry_invalid' }).trim().min(1, 'media_urls_entry_invalid');
const MediaUrl = z
  .object({ url: mediaAddress, altText: AltText }, { error: 'media_urls_entry_invalid' })
  .meta({ id: 'MediaUrl', description: 'A URL and the alt text of its file.' });
const mediaUrl = shownAs(
  z.preprocess((entry) => (typeof entry === 'string' ? { url: entry } : entry), MediaUrl),
  z.union([mediaAddress, MediaUrl]),
);
const mediaUrls = z
  .array(mediaUrl, { error: 'media_urls_not_array' })
  .min(1, 'media_urls_empty')
  .max(postLimits.mediaUrls, 'media_urls_too_many')
  .optional()
  .describe('Public https URLs of images and videos. The service fetches and attaches all of them or none.');

const ownText = z.string({ error: 'platform_content_invalid' }).max(postLimits.contentLength, 'content_over_cap');
const platformContent = <T extends z.ZodType>(text: T) =>
  boundedRecord(text, postLimits.platforms, 'platform_content_invalid').optional();

const publishAt = orAbsent(z.literal(nextSlot, { error: 'publish_at_invalid' })).describe(
  'Same as `scheduledTime: "next-slot"`.',
);

const shownTime = z.union([timestamp, z.literal(nextSlot)]).nullable();
const shownStatus = z.enum(['draft', 'scheduled']);
const shownIds = z.array(connectionId).max(postLimits.platforms);

export const CreatePost = z
  .object({
    // Missing content is checked earlier, because a LinkedIn repost may have none.
    content: z
      .string({ error: 'content_required' })
      .max(postLimits.contentLength, 'content_over_cap')
      .default('')
      .describe('The text of the post. Required, except for a LinkedIn repost.'),
    platforms: shownAs(
      createIds.describe('The connections to post to: ids from `GET /platform-connections`.'),
      shownIds.min(1),
    ),
    platformContent: platformContent(ownText).describe(
      'Texts for individual connections that replace `content`, by id.',
    ),
    platformMedia: PlatformMedia.describe(
      'Files of the post for individual connections that replace its shared files, by id. A new post has no files to list yet: `[]` sends none to a connection.',
    ),
    scheduledTime: shownAs(
      scheduledTime.describe(
        'When to publish, with `Z` or an offset; or `"next-slot"`, the next free posting slot. Omitted: the post is a draft.',
      ),
      shownTime,
    ),
    publishAt: shownAs(publishAt, z.literal(nextSlot)),
    status: shownAs(status.describe('Derived from `scheduledTime` and `publishNow` if omitted.'), shownStatus),
    publishNow,
    platformSettings: shownAs(z.unknown(), NewPlatformSettings).optional(),
    mediaUrls,
    firstComment: FirstCommentInput,
    firstComments: FirstCommentsInput,
    labels: LabelsInput.describe('Your own tags to find the post by. They are not published.'),
  })
  .meta({ id: 'CreatePost' });

export const UpdatePost = z
  .object({
    content: z
      .string({ error: 'content_not_string' })
      .max(postLimits.contentLength, 'content_over_cap')
      .optional()
      .describe('The new text. Only a draft can be empty.'),
    platforms: shownAs(
      updateIds.optional().describe('Replaces the whole list of connections. Only a draft can have none.'),
      shownIds,
    ),
    platformContent: platformContent(ownText.nullable()).describe(
      'Texts for individual connections that replace `content`, by id. Null: use `content` again. Others stay unchanged.',
    ),
    platformMedia: PlatformMedia.describe(
      'Files of the post for individual connections, in this order, that replace its shared files, by id. `[]`: none. Null: the shared files again. Others stay unchanged.',
    ),
    version: z
      .int({ error: 'post_version_invalid' })
      .optional()
      .describe('The version that you read. If the post has changed since, nothing is stored.'),
    scheduledTime: shownAs(scheduledTime.describe('The new time, with `Z` or an offset; or `"next-slot"`.'), shownTime),
    publishAt: shownAs(publishAt, z.literal(nextSlot)),
    status: shownAs(
      status.describe('`scheduled` schedules a draft; `draft` pauses a scheduled post and keeps its time.'),
      shownStatus,
    ),
    publishNow,
    platformSettings: shownAs(z.unknown(), PlatformSettings).optional(),
    mediaUrls,
    firstComment: FirstCommentInput,
    firstComments: FirstCommentsInput,
    labels: LabelsInput.describe(
      'Replaces all labels. If it is the only field, it also changes the labels of a published post.',
    ),
  })
  .meta({ id: 'UpdatePost', description: 'The fields to change. Omitted fields stay unchanged.' });

const MediaUrlResult = z
  .object({
    url: z.string(),
    ok: z.boolean(),
    mediaId: z.string().optional().describe('Present if the file was attached.'),
    code: z.string().optional().describe('Why it was not attached, for example `MEDIA_URL_HTTP_ERROR`.'),
    error: z.string().optional(),
  })
  .meta({ id: 'MediaUrlResult', description: 'The result for one URL in `mediaUrls`.' });

export const PostCreated = z
  .object({
    success,
    postGroupId: z.string(),
    scheduledTime: timestamp.nullable().describe('The stored time. Null for a draft.'),
    warnings,
    media: z.array(MediaUrlResult).optional().describe('Present if `mediaUrls` was sent.'),
  })
  .meta({ id: 'PostCreated', description: 'The new post.' });

export const PostUpdated = z
  .object({
    success,
    message: z.string(),
    scheduledTime: timestamp.nullable(),
    warnings,
    postGroup: z.object({
      _id: z.string(),
      status: groupStatus,
      content: z.string(),
      platforms: z.array(connectionId),
      scheduledTime: timestamp.optional().describe('Omitted if no time is stored.'),
    }),
  })
  .meta({ id: 'PostUpdated', description: 'The stored post group.' });

const ValidationIssue = z
  .object({
    platform: z.string(),
    code: z.string(),
    message: z.string(),
    field: z.string().describe('For example `content`, `media` or `settings`.'),
    severity: z.enum(['error', 'warning']),
    constraint: z.string().optional().describe('The exceeded limit, for example `maxLength`.'),
    currentValue: z.unknown().optional(),
    maxValue: z.unknown().optional(),
    minValue: z.unknown().optional(),
    suggestions: z.array(z.string()).optional(),
  })
  .meta({ id: 'ValidationIssue', description: 'A problem for which a platform would reject the post.' });

const ValidationReport = z
  .object({
    valid: z.boolean().describe('False if there is at least one error.'),
    errors: z.array(ValidationIssue),
    warnings: z.array(ValidationIssue),
    summary: z.object({
      affectedPlatforms: z.array(z.string()),
      errorCount: z.number(),
      warningCount: z.number(),
    }),
  })
  .meta({ id: 'ValidationReport', description: 'All problems for which the platforms would reject the post.' });

const CheckedText = z
  .object({
    platforms: z.array(connectionId),
    length: z.number().describe('The length as the platform counts it.'),
    networkLength: z
      .number()
      .optional()
      .describe('The length as the network counts it, if it counts links differently. For display only.'),
    maxLength: z.number().describe('Of one post.'),
    counting: TextCounting,
    parts: z
      .array(z.string())
      .describe('The posts that will be published: more than one if the text becomes a thread.'),
  })
  .meta({ id: 'CheckedText', description: 'The resulting text for connections that treat it the same way.' });

/** Longer than any id and any date that JavaScript can parse. */
const maxDate = 100;
const maxName = 400;

export const ValidatePostQuery = z.object({
  postGroupId: z
    .string()
    .max(maxName, { error: 'post_group_id_invalid', abort: true })
    .refine(isId, 'post_group_id_invalid')
    .optional()
    .describe('Check the text with the files of this post.'),
  mediaIds: z
    .string()
    .max(mediaLimits.filesPerPost * 25, { error: 'media_ids_invalid', abort: true })
    .refine((ids) => ids === '' || ids.split(',').every(isId), 'media_ids_invalid')
    .optional()
    .describe('Check the text with these files instead, separated by commas. An empty value: with none.'),
});

export const PostValidated = z
  .object({ success, validation: ValidationReport, texts: z.array(CheckedText), warnings })
  .meta({ id: 'PostValidated', description: 'The problems for which the platforms would reject the post.' });

const postGroupId = z.string().describe('The id of the post group: 24 hex digits.');
export const PostGroupPath = z.object({ postGroupId: postGroupId.refine(isId, 'post_group_id_invalid') });
/** For get-post, which has its own response to a malformed id. */
export const AnyPostGroupPath = z.object({ postGroupId });

const ThreadPart = z
  .object({
    index: z.number().describe('Starts at 0.'),
    content: z.string().describe('The text as published, including the part number if parts are numbered.'),
    status: z.enum(['pending', 'published', 'failed']),
    publishedId: z.string().nullable().describe('The id of this part on the platform.'),
  })
  .meta({ id: 'ThreadPart', description: 'One part of a post that is published as a thread.' });

const PublishError = z
  .object({
    code: z.string().describe('For example `PLATFORM_AUTH_EXPIRED`. More codes may be added.'),
    message: z.string(),
    platformStatusCode: z.number().optional().describe('The HTTP status that the platform returned.'),
    platformError: z.string().nullable().describe('The message from the platform.'),
    failedAt: timestamp,
    retryable: z.boolean().describe('Whether a new post with the same content can succeed.'),
  })
  .meta({ id: 'PublishError', description: 'Why a platform post was not published.' });

const PlatformPost = z
  .object({
    _id: z.string(),
    platform: z.string(),
    platformId: z.string().nullable().describe('The account id, without the platform prefix.'),
    content: z.string(),
    status: postStatus,
    postedId: z.string().nullable().describe('The id of the live post on the platform. Null until published.'),
    permalink: z.string().nullable().describe('The public URL of the live post, if known.'),
    isThread: z.boolean(),
    threadParts: z.array(ThreadPart).describe('Empty if the post is not a thread.'),
    mediaIds: z
      .array(z.string())
      .optional()
      .describe('The files that it has instead of the shared files of the post. Omitted if it uses those.'),
    error: PublishError.optional().describe('Present if the status is `failed`.'),
    retry: z
      .object({
        error: PublishError,
        nextAttemptAt: timestamp.nullable().describe('Null during an attempt.'),
      })
      .optional()
      .describe('Present if an attempt failed and will be retried.'),
    firstCommentResult: FirstCommentResult.nullable().describe('Same as `firstCommentResults[0]`.'),
    firstCommentResults: z
      .array(FirstCommentResult)
      .describe('One per first comment, in order. Empty until published.'),
  })
  .meta({ id: 'PlatformPost', description: 'A post group on one connection.' });

export const PostGroup = z
  .object({
    success,
    postGroupId: z.string(),
    status: groupStatus,
    scheduledTime: timestamp.nullable(),
    platforms: z.array(connectionId),
    platformSettings: shownAs(z.record(z.string(), z.unknown()), PlatformSettings),
    firstComment: FirstComment.nullable().describe('Same as `firstComments[0]`.'),
    firstComments: z.array(FirstComment),
    posts: z.array(PlatformPost).describe('One per connection.'),
    media: z.array(MediaFile).describe('In publishing order.'),
    labels: Labels,
  })
  .meta({ id: 'PostGroup', description: 'The content of a post for one or more connections.' });

export const EditablePost = z
  .object({
    postGroupId: z.string(),
    version: z
      .number()
      .describe('Increases by one with every update. Send it with `update-post` to detect concurrent changes.'),
    status: groupStatus,
    content: z.string(),
    platformContent: z.record(connectionId, z.string()),
    platformMedia: z.record(connectionId, z.array(z.string())),
    platforms: z.array(connectionId),
    scheduledTime: timestamp.nullable(),
    platformSettings: shownAs(z.record(z.string(), z.unknown()), PlatformSettings),
    firstComments: z.array(FirstComment),
    labels: Labels,
  })
  .meta({
    id: 'EditablePost',
    description: 'The editable fields of a post group, in the form that `update-post` takes.',
  });

const page = z.string().max(maxName).optional().catch(undefined);
const severalStatuses = new RegExp(`^(${groupStatus.options.join('|')})(,(${groupStatus.options.join('|')}))*$`);
/** An invalid page, limit or sort order is never an error, not even if it is given twice. */
export const ListPosts = z.object({
  page: shownAs(page.describe('The page to read, from 1.'), z.int().min(1).default(1)),
  limit: shownAs(
    page.describe('Post groups per page: at most 100, with `fields=compact` 1,000.'),
    z.int().min(1).max(1000).default(20),
  ),
  status: shownAs(
    z
      .string({ error: 'list_status_invalid' })
      .max(200, { error: 'list_status_invalid', abort: true })
      .refine((text) => text === '' || severalStatuses.test(text), 'list_status_invalid')
      .optional()
      .describe(
        'Only post groups with exactly this status; with `from`, `to`, `channel`, `q`, `label`, `fields` or `brands`, one of several: ' +
          '`scheduled,failed`.',
      ),
    z.string().regex(severalStatuses),
  ),
  platform: z
    .string()
    .max(maxName)
    .optional()
    .describe('Only post groups for this platform, the first part of a connection id.'),
  sortBy: shownAs(
    z
      .enum(['createdAt', 'updatedAt', 'scheduledTime', ''], { error: 'list_sort_invalid' })
      .optional()
      .describe('The sort key. With `from` or `to` the default is `scheduledTime`, earliest first.'),
    z.enum(['createdAt', 'updatedAt', 'scheduledTime']).default('createdAt'),
  ),
  sortOrder: shownAs(page.describe('The sort direction.'), z.enum(['asc', 'desc']).default('desc')),
  fromDate: z
    .string({ error: 'from_date_invalid' })
    .max(maxDate, 'from_date_invalid')
    .optional()
    .describe('Only post groups whose `scheduledTime` is not before this date or time.'),
  toDate: z
    .string({ error: 'to_date_invalid' })
    .max(maxDate, 'to_date_invalid')
    .optional()
    .describe('Only post groups whose `scheduledTime` is not after this date or time.'),
  from: z
    .string({ error: 'list_from_invalid' })
    .max(maxDate, 'list_from_invalid')
    .optional()
    .describe(
      'Same as `fromDate`, without totals. A published post has the time for which it was scheduled, or at which it was sent.',
    ),
  to: z
    .string({ error: 'list_to_invalid' })
    .max(maxDate, 'list_to_invalid')
    .optional()
    .describe('Same as `toDate`, without totals.'),
  channel: z
    .string({ error: 'list_channel_invalid' })
    .max(maxName, 'list_channel_invalid')
    .optional()
    .describe('Only post groups for this connection: `<platform>-<account id>`.'),
  q: z
    .string({ error: 'list_search_invalid' })
    .max(maxQuery, 'list_search_invalid')
    .optional()
    .describe(
      'Only post groups whose text has words that begin with these. A single letter stands for itself alone. Ignores case and accents.',
    ),
  label: LabelFilter,
  fields: shownAs(
    z
      .enum(['compact', ''], { error: 'list_fields_invalid' })
      .optional()
      .describe('`compact`: the fields that a calendar shows, as `CompactPostGroup`.'),
    z.enum(['compact']),
  ),
  brands: z
    .enum(['all'], { error: 'list_brands_invalid' })
    .optional()
    .describe(
      '`all`: your posts and those of all users you manage, as `CompactPostGroup` with `userId`. At most the first ' +
        '1,000, or all of them with `cursor`. Not sorted by `updatedAt`.',
    ),
  cursor: z
    .string({ error: 'list_cursor_invalid' })
    .max(maxDate, { error: 'list_cursor_invalid', abort: true })
    .optional()
    .describe(
      '`pagination.nextCursor` of the previous page, with the same filters and order. Replaces `page`: fast at any depth, and unaffected by new posts.',
    ),
});

const ListedPostGroup = z
  .object({
    postGroupId: z.string(),
    content: z.string(),
    status: groupStatus,
    scheduledTime: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    platforms: z.array(z.object({ platformId: connectionId, platform: z.string(), status: postStatus })),
    posts: z.array(
      z.object({
        _id: z.string(),
        platform: z.string(),
        platformId: connectionId,
        status: postStatus,
        postedId: z.string().nullable(),
        permalink: z.string().nullable(),
      }),
    ),
    mediaUrls: z.array(z.string()),
    labels: Labels,
  })
  .meta({ id: 'ListedPostGroup', description: 'A post group in a list.' });

const CompactPostGroup = z
  .object({
    postGroupId: z.string(),
    content: z.string().describe('The first 140 characters.'),
    status: groupStatus,
    scheduledTime: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    platforms: z.array(
      z.object({
        platformId: connectionId,
        platform: z.string(),
        status: postStatus,
        publishedAt: timestamp.nullable(),
        error: z.string().optional().describe('Why the post failed.'),
        retryable: z.boolean().optional().describe('Whether `retry-post` can publish it now.'),
      }),
    ),
    thumbnail: z
      .object({ type: z.enum(['image', 'video', 'document']), url: z.string() })
      .nullable()
      .describe('The first file.'),
    version: z.number().describe('Increases with every change.'),
    labels: Labels,
    userId: z.string().optional().describe('With `brands`: whose post it is.'),
  })
  .meta({ id: 'CompactPostGroup', description: 'A post group in a calendar.' });

const ListPagination = Pagination.extend({
  totalItems: z
    .number()
    .optional()
    .describe(
      'Omitted, with `totalPages`, if the request has `from`, `to`, `channel`, `q`, `label`, `fields`, `brands` or `cursor`.',
    ),
  totalPages: z.number().optional(),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Omitted on the last page.'),
}).meta({ id: 'ListPagination', description: 'The position of this page in the list.' });

export const PostList = z.object({
  success,
  posts: z.array(z.union([ListedPostGroup, CompactPostGroup])),
  pagination: ListPagination,
});

const PostLog = z
  .object({
    _id: z.string(),
    postGroupId: z.string(),
    postId: z.string().optional().describe('The platform post. Omitted if the event concerns the whole group.'),
    platform: z.string().optional(),
    event: z.string().describe('What happened. More events may be added.'),
    error: z.string().optional(),
    httpStatus: z.number().nullable().optional(),
    retryCount: z.number().optional(),
    metadata: z.record(z.string(), z.unknown()).optional().describe('The fields depend on the event.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'PostLog', description: 'An event of a post group.' });

export const PostLogsQuery = z.object({
  page: shownAs(page.describe('1 has the latest events, 2 the 100 before them.'), z.int().min(1).default(1)),
});
export const PostLogs = z.object({
  success,
  logs: z.array(PostLog).describe('Oldest first, at most 100, of the last 90 days.'),
  pagination: z
    .object({ page: z.number(), hasNextPage: z.boolean().describe('True: `page` + 1 has older events.') })
    .optional()
    .describe('Present if there is more than one page.'),
});

export type CreatePost = z.output<typeof CreatePost>;
export type UpdatePost = z.output<typeof UpdatePost>;
export type ListPosts = z.output<typeof ListPosts>;
export type PostGroup = z.output<typeof PostGroup>;
export type ListedPostGroup = z.output<typeof ListedPostGroup>;
export type CompactPostGroup = z.output<typeof CompactPostGroup>;
export type PostLog = z.output<typeof PostLog>;
