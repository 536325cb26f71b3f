import { type PostContent, type PublishContext, partStep, type RemotePost, type Thread } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createPost } from './create-post.ts';
import type { NewPost } from './new-post.ts';
import { uploadAll } from './upload.ts';

type Ctx = PublishContext<Credentials>;

export async function publish(post: PostContent, ctx: Ctx): Promise<RemotePost> {
  return createPost('post', await withMedia(post, ctx), ctx);
}

/** The first part has the media. Each other part replies to the previous one. */
export async function publishThread([head, ...rest]: Thread, ctx: Ctx): Promise<RemotePost[]> {
  let last = await createPost(partStep(0), await withMedia(head, ctx), ctx);
  const posts = [last];
  for (const [index, { text }] of rest.entries()) {
    last = await createPost(partStep(index + 1), { text, mediaIds: [], inReplyTo: last.id }, ctx);
    posts.push(last);
  }
  return posts;
}

async function withMedia({ text, media }: PostContent, ctx: Ctx): Promise<NewPost> {
  return { text, mediaIds: await uploadAll(media, ctx), inReplyTo: null };
}
