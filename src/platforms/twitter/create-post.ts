import { fingerprint, type PublishContext, type RemotePost, resolveDuplicate } from '../kit/index.ts';
import { api, Created, type Credentials, call } from './api.ts';
import { isDuplicate } from './failure.ts';
import { findPost, hasText } from './find.ts';
import { comparable } from './match-text.ts';
import { type NewPost, remotePost } from './new-post.ts';

type Ctx = PublishContext<Credentials>;

/**
 * X has no idempotency key, so after an unknown outcome the post is looked up first. If the lookup cannot see it, as
 * with a request that is still in flight, X refuses the repeat as a duplicate, and the post is looked up again.
 */
export function createPost(step: string, post: NewPost, ctx: Ctx): Promise<RemotePost> {
  const lookup = {
    find: (since: Date) => findPost(post, since, ctx),
    hasText: (since: Date) => hasText(post.text, since, ctx),
  };
  return ctx.step(
    step,
    async (run) => {
      try {
        return await create(post, ctx);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return await resolveDuplicate(error, lookup, run, 'X');
      }
    },
    { find: lookup.find, fingerprint: fingerprint(comparable(post.text), post.inReplyTo) },
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
