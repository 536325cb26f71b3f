import type { PublishContext, RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createStatus } from './create-status.ts';

/** A comment is a reply. Its key differs from the post's, because for the same key the server would return the post. */
export function comment(on: RemotePost, text: string, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const reply = { status: text, visibility: 'public', in_reply_to_id: on.id } as const;
  return createStatus('comment', reply, `${ctx.postId}/comment`, ctx);
}
