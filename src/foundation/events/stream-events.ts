import { z } from 'zod';

/** The events of the event stream. The triggers in the migrations write the data of each change in this shape. */

const change = z.enum(['created', 'updated', 'deleted']);
const updated = z.literal('updated');
const postGroupId = z.string();
const target = { postId: z.string(), postGroupId, platform: z.string() };

/** Changes of objects, by event name. */
export const streamChanges = {
  post: define({
    summary: 'a post is created, changed or deleted, or its status changes',
    data: z.object({ change, postGroupId, status: z.string() }),
  }),
  target: define({
    summary: 'a target of a post changes: its status, its parts or its URL on the network',
    data: z.object({
      change: updated,
      ...target,
      status: z.string(),
      postedId: z.string().nullable(),
      permalink: z.string().nullable(),
      errorCode: z.string().nullable(),
    }),
  }),
  comment: define({
    summary: 'a first comment of a target is posted, fails or is skipped',
    data: z.object({ change: updated, ...target, statuses: z.array(z.string()) }),
  }),
  connection: define({
    summary: 'an account is connected or disconnected, or its details change',
    data: z.object({ change, platformId: z.string(), platform: z.string(), needsReconnect: z.boolean() }),
  }),
  media: define({
    summary: 'a file is added, inspected or deleted',
    data: z.object({ change, mediaId: z.string(), postGroupId: postGroupId.nullable(), status: z.string() }),
  }),
  webhook: define({
    summary: 'a webhook is created, changed or deleted, or a delivery to it is attempted',
    data: z.object({ change, webhookId: z.string(), isActive: z.boolean() }),
  }),
  draft: define({
    summary: 'a draft of the composer is saved or deleted',
    data: z.object({ change, draftId: z.string(), version: z.number() }),
  }),
  import: define({
    summary: 'a running import has created more posts',
    data: z.object({ change: updated, importId: z.string(), done: z.number(), failed: z.number(), total: z.number() }),
  }),
};

/** Events about the stream itself. */
export const streamSignals = {
  ready: define({
    summary:
      'the stream is open, and reports every change from now on. It has a `secret` only with `format=webhook`, and `warnings` ' +
      'only if a parameter had no effect',
    data: z.object({
      secret: z.string().optional(),
      warnings: z.array(z.object({ code: z.string(), message: z.string(), field: z.string() })).optional(),
    }),
  }),
  reload: define({
    summary:
      'you have missed changes, because you were disconnected for too long or too many changes happened at the same time: fetch everything again',
    data: z.object({}),
  }),
};

export const streamChangeNames = Object.keys(streamChanges);

/** With `format=webhook`: a request as a webhook would receive it. */
export const StreamedDelivery = z
  .object({
    headers: z.record(z.string(), z.string()).describe('Signed with the secret of `ready`.'),
    body: z.string().describe('The envelope, as the exact bytes that are signed.'),
  })
  .meta({ id: 'StreamedDelivery', description: 'With `format=webhook`: the request that a webhook would receive.' });

interface StreamEvent<Data extends z.ZodType> {
  /** When it is sent, phrased as the end of a sentence. */
  readonly summary: string;
  readonly data: Data;
}

function define<Data extends z.ZodType>(event: StreamEvent<Data>): StreamEvent<Data> {
  return event;
}
