import type { JSONObject } from '@modelcontextprotocol/server';
import { shorten } from '../../../foundation/text/shorten.ts';
import { type Arguments, type ArgumentsSchema, adding, requiring, type Tool, without } from '../tool.ts';

const conciseLength = 100;

export const postTools: readonly Tool[] = [
  {
    name: 'list_posts',
    title: 'List posts',
    description:
      'Lists post groups, newest first. For planned posts, use status "scheduled" with from and to; for failures, "failed" and then "partially_published". A post that is being retried stays "scheduled", with a scheduledTime in the past. get_post returns the whole text, and why the post failed on a network.',
    operationId: 'listPosts',
    effect: 'read',
    input: (schema) =>
      adding(without(schema, 'fields', 'brands'), {
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Post groups per page.' },
        cursor: { type: 'string', maxLength: 100, description: '`pagination.nextCursor`. Replaces `page`.' },
        responseFormat: {
          type: 'string',
          enum: ['detailed', 'concise'],
          default: 'detailed',
          description: `"concise" shortens each content to ${conciseLength} characters.`,
        },
      }),
    fields: ({ responseFormat: _, ...fields }) => fields,
    result: (answer, { responseFormat }) => (responseFormat === 'concise' ? concise(answer) : answer),
  },
  {
    name: 'validate_post',
    title: 'Check a post without storing it',
    description:
      'Takes the arguments of create_post and lists everything that each network would reject, with suggestions. Nothing is stored or published. Read validation.valid. Networks count characters differently, so check each text before you show or schedule it.',
    operationId: 'validatePost',
    effect: 'read',
    input: (schema) => adding(newPost(schema), likeCreatePost),
  },
  {
    name: 'create_post',
    title: 'Create, schedule or publish a post',
    description:
      'Creates one post for one or more connected accounts. With scheduledTime, it is scheduled; with publishNow, it is published immediately; with neither, it is a draft. All accounts get the same text: make one call per text. list_connections returns the ids for platforms. scheduledTime needs an offset or Z: 9 am in Rome in July is T09:00:00+02:00. For a file without a public URL, create a draft, then call attach_media or get_upload_url. Publishing cannot be undone: ask the user before you use publishNow. Send an idempotencyKey, so that a retry publishes nothing twice.',
    operationId: 'createPost',
    effect: 'write',
    isOpenWorld: true,
    input: newPost,
  },
  {
    name: 'get_post',
    title: 'Read a post',
    description:
      'Returns one post group with its text and its files. posts has the status on each network: postedId and permalink once published, error if it failed, and retry while Crier retries. After create_post or update_post with publishNow, call it every few seconds until each of posts is published, has failed or has retry, whose nextAttemptAt can be far in the future. If error.retryable is true, retry_post tries that network again. Otherwise, fix the cause given in error.message, then call create_post for that account alone. post_logs shows each step.',
    operationId: 'getPost',
    effect: 'read',
  },
  {
    name: 'update_post',
    title: 'Change a draft or scheduled post',
    description:
      'Changes the given fields of a draft or scheduled post and leaves the others unchanged. platforms, platformSettings and firstComments replace the stored values. To schedule a draft, send status "scheduled" with scheduledTime. To publish it, send publishNow. To pause a scheduled post, send status "draft". A published post cannot be changed.',
    operationId: 'updatePost',
    effect: 'destructive',
    isOpenWorld: true,
    input: (schema) => without(schema, 'publishAt', 'platformContent', 'platformMedia', 'version'),
    result: warnOfDraft,
  },
  {
    name: 'delete_post',
    title: 'Delete a post',
    description:
      'Deletes a post group and its files, in any status. A scheduled post will not be published. Posts that are already published stay on their networks. This cannot be undone: ask the user first.',
    operationId: 'deletePost',
    effect: 'destructive',
    isIdempotent: true,
  },
  {
    name: 'retry_post',
    title: 'Retry a failed post',
    description:
      'Retries a post on each network whose error in get_post is retryable. Nothing is published twice. Networks with an unknown outcome are not retried: the user must check the account. Call get_post afterwards to see the result.',
    operationId: 'retryPost',
    effect: 'write',
    isIdempotent: true,
    isOpenWorld: true,
  },
  {
    name: 'next_slot',
    title: 'Find the next free posting slot',
    description:
      'Returns the time at which a post with scheduledTime "next-slot" would be published: the next weekly posting slot of the user at which none of these accounts has a scheduled post. Nothing is reserved.',
    operationId: 'getNextSlot',
    effect: 'read',
  },
  {
    name: 'post_logs',
    title: 'Read the log of a post',
    description:
      'Lists the events of a post group in the last 90 days: attempts, failures and their reasons. Call it if get_post shows a failure, or if a post is late.',
    operationId: 'getPostLogs',
    effect: 'read',
  },
];

/** Fields for editors and other programs. `scheduledTime` accepts "next-slot", too. */
const notForAgents = ['publishAt', 'platformContent', 'platformMedia', 'version', 'postGroupId', 'mediaIds'];

/** The status follows from the other fields, so the tool does not accept it. */
function newPost(schema: ArgumentsSchema): ArgumentsSchema {
  return requiring(adding(without(schema, 'status', ...notForAgents), { publishNow }), 'content');
}

const publishNow: JSONObject = {
  type: 'boolean',
  description: 'True: publish now. Cannot be combined with a future scheduledTime.',
};

/** These fields are long. An agent has already read them once, in create_post. */
const likeCreatePost: Record<string, JSONObject> = {
  platformSettings: { type: 'object', description: 'Same as for create_post.' },
  firstComment: { type: 'object', description: 'Same as for create_post.' },
  firstComments: { type: 'array', items: { type: 'object' }, description: 'Same as for create_post.' },
};

/** A time alone does not schedule a draft, but an agent would take the success to mean that. */
function warnOfDraft(answer: Record<string, unknown>, { scheduledTime, status }: Arguments): Record<string, unknown> {
  const isDraft = Object(answer.postGroup).status === 'draft';
  if (!isDraft || !scheduledTime || status !== undefined) return answer;
  return {
    ...answer,
    hint: 'The post is still a draft, so it will not be published at this time. To schedule it, call update_post with status "scheduled".',
  };
}

function concise(answer: Record<string, unknown>): Record<string, unknown> {
  const posts = Array.isArray(answer.posts) ? answer.posts : [];
  return { ...answer, posts: posts.map((post: Arguments) => ({ ...post, content: shortContent(post) })) };
}

const shortContent = ({ content }: Arguments) => shorten(String(content ?? ''), conciseLength);
