import type { PublishContext, RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createPost } from './create-post.ts';

/** X has no comments, only replies. */
export function comment(on: RemotePost, text: string, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  return createPost('comment', { text, mediaIds: [], inReplyTo: on.id }, ctx);
}
