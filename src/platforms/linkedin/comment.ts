import { z } from 'zod';
import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { authorOf, type Credentials, call } from './api.ts';
import { postUrl } from './draft.ts';
import { littleText } from './text.ts';

type Ctx = PublishContext<Credentials>;

const Comment = z.object({ id: z.string().min(1), commentUrn: z.string().optional(), object: z.string().optional() });

/** As the author of the post. The comments of a post cannot be read with what we may do: an unknown outcome stays one. */
export function comment(on: RemotePost, text: string, ctx: Ctx): Promise<RemotePost> {
  return ctx.step('comment', async () => {
    const { id, commentUrn, object = on.id } = await create(on.id, littleText(text), ctx).catch(explainDenial);
    const urn = commentUrn ?? `urn:li:comment:(${object},${id})`;
    return { id: urn, url: `${postUrl(on.id)}?${new URLSearchParams({ commentUrn: urn })}` };
  });
}

/**
 * Applications without a permission of its own for comments are turned away by the versioned API; the one before it takes
 * the same comment with the permission to post (measured 2026-08-24).
 */
async function create(post: string, text: string, ctx: Ctx) {
  try {
    return await createAt('/rest', post, text, ctx);
  } catch (error) {
    if (isDenied(error) && error.reason?.includes('partnerApi')) return createAt('/v2', post, text, ctx);
    throw error;
  }
}

function createAt(root: '/rest' | '/v2', post: string, text: string, ctx: Ctx) {
  const path = `${root}/socialActions/${encodeURIComponent(post)}/comments`;
  const body = { actor: authorOf(ctx), object: post, message: { text } };
  return call(Comment, { method: 'POST', path, accessToken: ctx.credentials.accessToken, body }, ctx);
}

/** Whoever may not comment may post nevertheless: the connection as a whole is in order. */
function explainDenial(error: unknown): never {
  if (!isDenied(error)) throw error;
  const { status, reason } = error;
  throw new PlatformError('rejected', 'LinkedIn does not permit this connection to comment.', {
    status: status ?? undefined,
    reason: reason ?? undefined,
  });
}

const isDenied = (error: unknown): error is PlatformError => error instanceof PlatformError && error.status === 403;
