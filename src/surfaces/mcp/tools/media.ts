import { createHash } from 'node:crypto';
import { type Arguments, adding, requiring, type Tool } from '../tool.ts';

export const mediaTools: readonly Tool[] = [
  {
    name: 'attach_media',
    title: 'Attach a file to a post',
    description:
      'Fetches a file from a URL and attaches it to a draft or scheduled post, which then becomes a draft: schedule or publish it with update_post. Use it for files from the chat. To attach a file again after delete_media, send a new idempotencyKey. For public URLs, mediaUrls of create_post is shorter. Describe the file in altText if you can see it.',
    operationId: 'attachMedia',
    effect: 'write',
    isIdempotent: true,
    isOpenWorld: true,
    // ChatGPT fills the arguments listed here with a file of the conversation.
    meta: { 'openai/fileParams': ['file'] },
    fields: (args) => ({ idempotencyKey: keyFor(args), ...args }),
  },
  {
    name: 'get_upload_url',
    title: 'Get an upload URL',
    description:
      'Attaches a new file to a draft and returns uploadUrl. Send the bytes there with PUT and the same Content-Type within one hour, then call complete_media. A scheduled post becomes a draft again: schedule it with update_post after the upload.',
    operationId: 'getUploadUrl',
    effect: 'write',
    input: (schema) =>
      requiring(
        adding(schema, {
          type: {
            type: 'string',
            enum: ['image', 'video', 'document'],
            description: 'The kind of file. A PDF is a document.',
          },
        }),
        'type',
      ),
  },
  {
    name: 'complete_media',
    title: 'Check an uploaded file',
    description:
      'Inspects a file after its upload, so that you notice early if it cannot be published. Takes the mediaId from get_upload_url.',
    operationId: 'completeMedia',
    effect: 'write',
    isIdempotent: true,
    input: ({ properties: { mediaFileId, ...properties }, ...schema }) => ({
      ...schema,
      properties: { ...properties, mediaId: mediaFileId ?? {} },
      required: ['mediaId'],
    }),
    fields: ({ mediaId, ...args }) => ({ ...args, mediaFileId: mediaId }),
  },
  {
    name: 'list_media',
    title: 'List files',
    description:
      'Lists the files of all posts, newest first, one page at a time, with their ids, alt texts and the posts that use them.',
    operationId: 'listMedia',
    effect: 'read',
  },
  {
    name: 'update_media',
    title: 'Change the alt text of a file',
    description:
      'Describes a file for people who cannot see it; null removes the description. Works until its post is being published, and a scheduled post stays scheduled. platform_limits has the maximum length for each network.',
    operationId: 'updateMedia',
    effect: 'write',
    isIdempotent: true,
  },
  {
    name: 'delete_media',
    title: 'Delete a file',
    description:
      'Removes a file from its post and deletes it. A scheduled post becomes a draft again. get_post lists the files of a post with their ids.',
    operationId: 'deleteMedia',
    effect: 'destructive',
    isIdempotent: true,
  },
  {
    name: 'prune_media_reference',
    title: 'Remove a reference to a missing file',
    description:
      'Repairs a post that lists a file that no longer exists (code MEDIA_REFERENCE_MISSING). To delete a file that exists, call delete_media.',
    operationId: 'pruneMediaReference',
    effect: 'destructive',
    isIdempotent: true,
  },
];

/** The same file is attached to the same post only once, even if the agent calls twice. */
function keyFor({ postGroupId, file }: Arguments): string {
  const fileId = typeof file === 'object' && file !== null && 'file_id' in file ? file.file_id : '';
  return `mcp-attach-${createHash('sha256')
    .update(JSON.stringify([postGroupId, fileId]))
    .digest('hex')}`;
}
