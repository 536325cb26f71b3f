import {
  PlatformError,
  type PostContent,
  type PublishContext,
  partStep,
  type RemotePost,
  type Thread,
} from '../kit/index.ts';
import { Created, type Credentials, call, signedIn } from './api.ts';
import { isRepeat } from './failure.ts';
import { type Draft, findPost, remotePost } from './find.ts';
import { uploadAll } from './upload.ts';

type Ctx = PublishContext<Credentials>;

export async function publish(post: PostContent, ctx: Ctx): Promise<RemotePost> {
  return send('post', await draftOf(post, ctx), ctx);
}

/** The media are on the first part; each other part answers the one before it. */
export async function publishThread([head, ...rest]: Thread, ctx: Ctx): Promise<RemotePost[]> {
  let last = await send(partStep(0), await draftOf(head, ctx), ctx);
  const posts = [last];
  for (const [index, { text }] of rest.entries()) {
    last = await send(partStep(index + 1), { text, mediaIds: [], inReplyTo: last.id }, ctx);
    posts.push(last);
  }
  return posts;
}

/** X has no comments, only replies. */
export function comment(on: RemotePost, text: string, ctx: Ctx): Promise<RemotePost> {
  return send('comment', { text, mediaIds: [], inReplyTo: on.id }, ctx);
}

async function draftOf({ text, media }: PostContent, ctx: Ctx): Promise<Draft> {
  return { text, mediaIds: await uploadAll(media, ctx), inReplyTo: null };
}

/**
 * X knows no key against repeats. After an unknown outcome we look for the post first. What looking cannot see, as a
 * request that is still on its way, X itself refuses as a repeat: then the post is there, and we look once more.
 */
function send(step: string, draft: Draft, ctx: Ctx): Promise<RemotePost> {
  let begunBefore: Date | null = null;
  return ctx.step(
    step,
    async () => {
      try {
        return await create(draft, ctx);
      } catch (error) {
        if (!begunBefore || !isRepeat(error)) throw error;
        return await findRepeated(draft, begunBefore, error, ctx);
      }
    },
    {
      find(since) {
        begunBefore = since;
        return findPost(draft, since, ctx);
      },
    },
  );
}

async function create({ text, mediaIds, inReplyTo }: Draft, ctx: Ctx): Promise<RemotePost> {
  const body = {
    ...(text && { text }),
    ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
    ...(inReplyTo && { reply: { in_reply_to_tweet_id: inReplyTo } }),
  };
  const { data } = await call(Created, { ...signedIn(ctx), method: 'POST', path: '/tweets', body }, ctx);
  return remotePost(data.id, ctx);
}

async function findRepeated(draft: Draft, since: Date, refusal: PlatformError, ctx: Ctx): Promise<RemotePost> {
  const found = await findPost(draft, since, ctx);
  if (found) return found;
  // In doubt, so that a later run looks again: the account's list of posts may lag behind.
  throw new PlatformError('unavailable', 'X says that it has this post already, but does not show it.', {
    status: 403,
    reason: refusal.reason ?? undefined,
    cause: refusal,
  });
}
