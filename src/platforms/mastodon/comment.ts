import type { PublishContext, RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createPost } from './create-post.ts';

/**
 * A comment is a reply. Its idempotency key differs from the post's, because for the same key the server would return
 * the post.
 */
export function comment(on: RemotePost, text: string, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const reply = { status: text, visibility: 'public', in_reply_to_id: on.id } as const;
  return createPost('comment', reply, `${ctx.postId}/comment`, ctx);
}
