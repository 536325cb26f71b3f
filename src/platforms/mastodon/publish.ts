import type { PostContent, PublishContext, RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createStatus } from './create-status.ts';
import type { NewStatus } from './new-status.ts';
import { uploadAll } from './upload.ts';

export async function publish(post: PostContent, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const status: NewStatus = { status: post.text, visibility: 'public' };
  if (post.media.length > 0) status.media_ids = await uploadAll(post.media, ctx);
  return createStatus('status', status, ctx.postId, ctx);
}
