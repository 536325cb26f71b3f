import { fingerprint, PlatformError, type PublishContext, type RemoteComment, type RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createComment } from './create-comment.ts';
import { isForbidden } from './legacy-api.ts';
import { postUrl } from './new-post.ts';
import { mentionIssues, plainMessage } from './text.ts';

/** Comments as the author of the post. The service may not read comments, so an unknown outcome stays unknown. */
export function comment(on: RemotePost, text: string, ctx: PublishContext<Credentials>): Promise<RemoteComment> {
  const create = async () => {
    const [issue] = mentionIssues(text);
    if (issue) throw new PlatformError('rejected', issue.message);
    const { commentUrn } = await createComment({ on: on.id, message: plainMessage(text) }, ctx).catch(explainForbidden);
    const query = commentUrn ? `?${new URLSearchParams({ commentUrn })}` : '';
    return { id: commentUrn, url: postUrl(on.id) + query };
  };
  return ctx.step('comment', create, { fingerprint: fingerprint(text, on.id) });
}

/** A connection that may not comment may still post, so it is not marked as broken. */
function explainForbidden(error: unknown): never {
  if (!isForbidden(error)) throw error;
  const message = 'LinkedIn does not permit this connection to comment. Check the permissions of the account or page.';
  throw error.with({ kind: 'rejected', message });
}
