import { createHash } from 'node:crypto';
import { type Arguments, type ArgumentsSchema, adding, requiring, type Tool, without } from '../tool.ts';

export const mediaTools: readonly Tool[] = [
  {
    name: 'attach_media',
    title: 'Attach a file to a post',
    description:
      'Downloads a file from a URL and attaches it to a draft or scheduled post. The post becomes a draft, so schedule or publish it with update_post afterwards. Use this tool for files from the chat; for public URLs, mediaUrls in create_post is simpler. To attach a file again after delete_media, send a new idempotencyKey. If you can see the file, describe it in altText.',
    operationId: 'attachMedia',
    effect: 'write',
    isIdempotent: true,
    isOpenWorld: true,
    input: forAgents,
    // ChatGPT fills the arguments listed here with a file of the conversation.
    meta: { 'openai/fileParams': ['file'] },
    fields: (args) => ({ idempotencyKey: keyFor(args), ...args }),
  },
  {
    name: 'get_upload_url',
    title: 'Get an upload URL',
    description:
      'Attaches a new file to a draft and returns uploadUrl. PUT the bytes there within one hour, with the same Content-Type, then call complete_media. A scheduled post becomes a draft again, so schedule it with update_post after the upload.',
    operationId: 'getUploadUrl',
    effect: 'write',
    input: (schema) =>
      requiring(
        adding(forAgents(schema), {
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
      'Inspects a file after its upload, so that you know early if it cannot be published. Takes the mediaId from get_upload_url.',
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
      'Lists the files of the library and of posts, newest first, one page at a time, with the posts that use them.',
    operationId: 'listMedia',
    effect: 'read',
  },
  {
    name: 'update_media',
    title: 'Change the alt text, name or labels of a file',
    description:
      'Sets the alt text (null removes it), name or labels of a file, until its post is being published. A scheduled post stays scheduled.',
    operationId: 'updateMedia',
    effect: 'write',
    isIdempotent: true,
    input: forAgents,
  },
  {
    name: 'delete_media',
    title: 'Delete a file',
    description:
      "Removes a file from its post and deletes it. A scheduled post becomes a draft again. get_post returns the ids of a post's files.",
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

/** Agents cannot choose files for single connections. */
function forAgents(schema: ArgumentsSchema): ArgumentsSchema {
  return without(schema, 'shared');
}

/** The same file is attached to the same post only once, even if the agent calls twice. */
function keyFor({ postGroupId, file }: Arguments): string {
  const fileId = typeof file === 'object' && file !== null && 'file_id' in file ? file.file_id : '';
  return `mcp-attach-${createHash('sha256')
    .update(JSON.stringify([postGroupId, fileId]))
    .digest('hex')}`;
}
