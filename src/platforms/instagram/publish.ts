import { asksFor, dailySeconds, GraphError } from '../graph/failure.ts';
import { whenReady } from '../graph/when-ready.ts';
import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { Created, type Credentials, call, Medium, Quota } from './api.ts';
import { assertDone, type Container, createContainer, pace, stateOf } from './container.ts';
import type { Post } from './draft.ts';
import { usedUp } from './failure.ts';
import { publishedFrom, remotePost } from './find.ts';

type Ctx = PublishContext<Credentials>;

/** How many containers we make for a post, where one expires or Instagram fails over it. */
const maxContainers = 3;

export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  for (let count = 1; ; count += 1) {
    try {
      const container = await createContainer(post, (step) => (count === 1 ? step : `${step} (${count})`), ctx);
      return await publishOnce(container, post, ctx);
    } catch (error) {
      if (count === maxContainers || !asksFor('renew', error)) throw error;
    }
  }
}

/** A container can be published only once, and says whether it was: that is what keeps us from posting twice. */
function publishOnce(container: Container, post: Post, ctx: Ctx): Promise<RemotePost> {
  const send = async () => {
    if ((await assertDone(container, ctx)) === 'published') return publishedFrom(container, post, ctx);
    await assertRoom(ctx);
    return publishContainer(container, post, ctx);
  };
  const find = async () => {
    const state = await stateOf(container, ctx);
    if (state === 'published') return publishedFrom(container, post, ctx);
    // It was not this one, but perhaps the one that took its place.
    if (asksFor('renew', state)) throw state;
    return null;
  };
  return whenReady(() => ctx.step('post', send, { find, takenOnce: true }), container.createdAt, ctx, pace);
}

async function publishContainer(container: Container, post: Post, ctx: Ctx): Promise<RemotePost> {
  const path = `/${ctx.credentials.userId}/media_publish`;
  try {
    const { id } = await call(Created, { path, form: { creation_id: container.id } }, ctx);
    return await linked(id, ctx);
  } catch (error) {
    // Posts have been seen to go out although the answer was an error.
    if (await isOutNevertheless(container, error, ctx)) return publishedFrom(container, post, ctx);
    throw error;
  }
}

async function isOutNevertheless(container: Container, error: unknown, ctx: Ctx): Promise<boolean> {
  const answered = error instanceof PlatformError && error.status !== null;
  if (!answered || error.kind === 'auth' || error.kind === 'rate_limited') return false;
  return (await stateOf(container, ctx).catch(() => null)) === 'published';
}

/** The address cannot be made from the id. That it cannot be read is no reason to fail: the post is out. */
async function linked(id: string, ctx: Ctx): Promise<RemotePost> {
  try {
    return remotePost(await call(Medium, { path: `/${id}`, query: { fields: 'id,permalink' } }, ctx));
  } catch (error) {
    if (error instanceof PlatformError) return { id, url: null };
    throw error;
  }
}

/** Which number holds depends on whom one asks at Meta: 25, 50 or 100 in 24 hours. The account knows its own. */
async function assertRoom(ctx: Ctx): Promise<void> {
  const path = `/${ctx.credentials.userId}/content_publishing_limit`;
  const { data } = await call(Quota, { path, query: { fields: 'quota_usage,config' } }, ctx);
  const full = data.find(({ quota_usage, config }) => config && quota_usage >= config.quota_total);
  if (!full) return;
  const reason = `${full.quota_usage} of ${full.config?.quota_total} posts`;
  throw new GraphError(usedUp, { reason, retryAfterSeconds: dailySeconds, mayHaveHappened: false });
}
