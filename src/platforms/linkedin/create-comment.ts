import { z } from 'zod';
import type { Json } from '../../lib/json.ts';
import { type Context, PlatformError } from '../kit/index.ts';
import { authorOf, type Credentials, send } from './api.ts';
import { parseAnswer } from './failure.ts';

export interface NewComment {
  /** The URN of the post. */
  on: string;
  /** As LinkedIn writes it: see `littleText`. */
  text: string;
  /** The URN of the comment that this one answers. */
  parent?: string | null;
  /** The URN of a picture that was uploaded. */
  image?: string | null;
}

const Comment = z.record(z.string(), z.json());

/** What LinkedIn says of the new comment; its number comes in a header. */
export async function createComment(comment: NewComment, ctx: Context<Credentials>) {
  const response = await orLegacy((root) => send(requestFor(root, comment, ctx), ctx));
  const body = await parseAnswer(Comment, response);
  const id = response.headers.get('x-restli-id') || body.id;
  if (typeof id !== 'string' || id === '') {
    throw new PlatformError('unavailable', 'LinkedIn did not say which comment it made.', { status: response.status });
  }
  const thread = typeof body.object === 'string' ? body.object : comment.on;
  const commentUrn = typeof body.commentUrn === 'string' ? body.commentUrn : `urn:li:comment:(${thread},${id})`;
  return { ...body, id, commentUrn } satisfies { [field: string]: Json };
}

function requestFor(root: Root, { on, text, parent, image }: NewComment, ctx: Context<Credentials>) {
  return {
    method: 'POST',
    path: `${root}/socialActions/${encodeURIComponent(parent ?? on)}/comments`,
    accessToken: ctx.credentials.accessToken,
    body: {
      actor: authorOf(ctx),
      object: on,
      message: { text },
      ...(parent && { parentComment: parent }),
      ...(image && { content: [{ entity: { image } }] }),
    },
  } as const;
}

export type Root = '/rest' | '/v2';

/**
 * Applications without a permission of its own for comments and reactions are turned away by the versioned API; the one
 * before it takes the same with the permission to post (measured 2026-08-24).
 */
export async function orLegacy<T>(attempt: (root: Root) => Promise<T>): Promise<T> {
  try {
    return await attempt('/rest');
  } catch (error) {
    if (isDenied(error) && error.reason?.includes('partnerApi')) return attempt('/v2');
    throw error;
  }
}

export const isDenied = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.status === 403;
