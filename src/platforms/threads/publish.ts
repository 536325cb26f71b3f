import { asksFor } from '../graph/failure.ts';
import { whenReady } from '../graph/when-ready.ts';
import { PlatformError, type PublishContext, partStep, type RemotePost, type Thread } from '../kit/index.ts';
import { Created, type Credentials, call } from './api.ts';
import { assertDone, type Container, createContainer, type Part, pace, stateOf } from './container.ts';
import type { Post } from './draft.ts';
import { publishedFrom } from './find.ts';
import { linked } from './link.ts';
import { assertRoom } from './publishing-limit.ts';
import { assertLength } from './text.ts';
import { assertMayReply } from './thread-permission.ts';

type Ctx = PublishContext<Credentials>;

/** How many containers we make for a post, where one expires or Threads fails over it. */
const maxContainers = 3;

export function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  return send({ name: 'post', post, inReplyTo: null }, () => assertRoom(0, ctx), ctx);
}

/** Each part answers the one before it. Whether all of them may go out is found out before the first does. */
export async function publishThread(parts: Thread<Post['settings']>, ctx: Ctx): Promise<RemotePost[]> {
  for (const { text } of parts) assertLength(text);
  const mayBegin = async () => {
    await assertMayReply(ctx);
    await assertRoom(parts.length - 1, ctx);
  };
  const posts: RemotePost[] = [];
  for (const [index, post] of parts.entries()) {
    const part = { name: partStep(index), post, inReplyTo: posts.at(-1)?.id ?? null };
    posts.push(await send(part, index === 0 ? mayBegin : async () => {}, ctx));
  }
  return posts;
}

async function send(part: Part, mayBegin: () => Promise<void>, ctx: Ctx): Promise<RemotePost> {
  for (let count = 1; ; count += 1) {
    const nameOf = (step: string) => `${part.name} ${step}${count === 1 ? '' : ` (${count})`}`;
    try {
      return await publishOnce(await createContainer(part, nameOf, ctx), part, mayBegin, ctx);
    } catch (error) {
      if (count === maxContainers || !asksFor('renew', error)) throw error;
    }
  }
}

/** A container can be published only once, and says whether it was: that is what keeps us from posting twice. */
function publishOnce(container: Container, part: Part, mayBegin: () => Promise<void>, ctx: Ctx): Promise<RemotePost> {
  const publishNow = async () => {
    if ((await assertDone(container, ctx)) === 'published') return publishedFrom(container, part, ctx);
    await mayBegin();
    return publishContainer(container, part, ctx);
  };
  const find = async () => {
    const state = await stateOf(container, ctx);
    if (state === 'published') return publishedFrom(container, part, ctx);
    // It was not this one, but perhaps the one that took its place.
    if (asksFor('renew', state)) throw state;
    return null;
  };
  return whenReady(() => ctx.step(part.name, publishNow, { find, takenOnce: true }), container.createdAt, ctx, pace);
}

async function publishContainer(container: Container, part: Part, ctx: Ctx): Promise<RemotePost> {
  const path = `/${ctx.credentials.userId}/threads_publish`;
  try {
    const { id } = await call(Created, { path, form: { creation_id: container.id } }, ctx);
    return await linked(id, ctx);
  } catch (error) {
    // Posts have been seen to go out although the answer was an error.
    if (await isOutNevertheless(container, error, ctx)) return publishedFrom(container, part, ctx);
    throw error;
  }
}

async function isOutNevertheless(container: Container, error: unknown, ctx: Ctx): Promise<boolean> {
  const answered = error instanceof PlatformError && error.status !== null;
  if (!answered || error.kind === 'auth' || error.kind === 'rate_limited') return false;
  return (await stateOf(container, ctx).catch(() => null)) === 'published';
}
