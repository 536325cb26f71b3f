import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { api, Created, type Credentials, call } from './api.ts';
import { isDuplicate } from './failure.ts';
import { findPost } from './find.ts';
import { type NewPost, remotePost } from './new-post.ts';

type Ctx = PublishContext<Credentials>;

/**
 * X has no idempotency key, so after an unknown outcome the post is looked up first. What the lookup cannot see, such as a
 * request that is still in flight, X itself refuses as a duplicate: then the post exists, and is looked up once more.
 */
export function createPost(step: string, post: NewPost, ctx: Ctx): Promise<RemotePost> {
  let begunBefore: Date | null = null;
  return ctx.step(
    step,
    async () => {
      try {
        return await create(post, ctx);
      } catch (error) {
        if (!begunBefore || !isDuplicate(error)) throw error;
        return await findDuplicate(post, begunBefore, error, ctx);
      }
    },
    {
      find(since) {
        begunBefore = since;
        return findPost(post, since, ctx);
      },
    },
  );
}

async function create({ text, mediaIds, inReplyTo }: NewPost, ctx: Ctx): Promise<RemotePost> {
  const body = {
    ...(text && { text }),
    ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
    ...(inReplyTo && { reply: { in_reply_to_tweet_id: inReplyTo } }),
  };
  const { data } = await call(Created, { url: `${api}/tweets`, accessToken: ctx.credentials.accessToken, body }, ctx);
  return remotePost(data.id, ctx);
}

async function findDuplicate(post: NewPost, since: Date, refusal: PlatformError, ctx: Ctx): Promise<RemotePost> {
  const found = await findPost(post, since, ctx);
  if (found) return found;
  // The account's list of posts may lag behind, so the outcome stays in doubt and a later run looks again.
  throw new PlatformError('unavailable', 'X reports that it already has this post, but does not list it yet.', {
    status: 403,
    reason: refusal.reason,
    cause: refusal,
  });
}
