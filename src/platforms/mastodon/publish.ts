import type { PostContent, PublishContext, RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createPost } from './create-post.ts';
import type { NewPost } from './new-post.ts';
import { uploadAll } from './upload.ts';

export async function publish(post: PostContent, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const status: NewPost = { status: post.text, visibility: 'public' };
  if (post.media.length > 0) status.media_ids = await uploadAll(post.media, ctx);
  return createPost('status', status, ctx.postId, ctx);
}
