import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createComment, isDenied } from './create-comment.ts';
import { postUrl } from './draft.ts';
import { littleText } from './text.ts';

type Ctx = PublishContext<Credentials>;

/** As the author of the post. The comments of a post cannot be read with what we may do: an unknown outcome stays one. */
export function comment(on: RemotePost, text: string, ctx: Ctx): Promise<RemotePost> {
  return ctx.step('comment', async () => {
    const { commentUrn } = await createComment({ on: on.id, text: littleText(text) }, ctx).catch(explainDenial);
    return { id: commentUrn, url: `${postUrl(on.id)}?${new URLSearchParams({ commentUrn })}` };
  });
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
