import { z } from 'zod';
import type { Json } from '../../lib/json.ts';
import { type Context, PlatformError } from '../kit/index.ts';
import { authorOf, type Call, type Credentials, read, send } from './api.ts';
import { type ApiRoot, withLegacyFallback } from './legacy-api.ts';

export interface NewComment {
  /** The URN of the post. */
  on: string;
  /** In LinkedIn's own format: see `littleText`. */
  text: string;
  /** The URN of the comment that this one replies to. */
  parent?: string | null;
  /** The URN of an uploaded image. */
  image?: string | null;
}

const Comment = z.record(z.string(), z.json());

/** What LinkedIn answers about the new comment. Its number comes in a header. */
export async function createComment(comment: NewComment, ctx: Context<Credentials>) {
  const response = await withLegacyFallback((root) => send(requestFor(root, comment, ctx), ctx));
  const body = await read(Comment, response);
  const id = response.headers.get('x-restli-id') || body.id;
  if (typeof id !== 'string' || id === '') {
    throw new PlatformError('unavailable', 'LinkedIn accepted the comment without an id. Check the post at LinkedIn.', {
      status: response.status,
    });
  }
  const thread = typeof body.object === 'string' ? body.object : comment.on;
  const commentUrn = typeof body.commentUrn === 'string' ? body.commentUrn : `urn:li:comment:(${thread},${id})`;
  return { ...body, id, commentUrn } satisfies { [field: string]: Json };
}

function requestFor(root: ApiRoot, { on, text, parent, image }: NewComment, ctx: Context<Credentials>): Call {
  return {
    path: `${root}/socialActions/${encodeURIComponent(parent ?? on)}/comments`,
    accessToken: ctx.credentials.accessToken,
    body: {
      actor: authorOf(ctx),
      object: on,
      message: { text },
      ...(parent && { parentComment: parent }),
      ...(image && { content: [{ entity: { image } }] }),
    },
  };
}
