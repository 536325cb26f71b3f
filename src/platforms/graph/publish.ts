import { exactly, fingerprint, found, messages, PlatformError, type RemotePost, type StepRun } from '../kit/index.ts';
import { Created } from './api.ts';
import {
  assertFinished,
  type Container,
  type ContainerApi,
  type ContainerPost,
  type ContainerContext as Ctx,
  createContainer,
  readState,
  retryUntilReady,
} from './container.ts';
import { hasRecovery } from './failure.ts';
import { isTelling, matchesIn, withPermalink } from './find.ts';

/** How many containers a post may use if one expires or the platform fails to process it. */
const maxContainers = 3;

export async function publishFromContainer(post: ContainerPost, api: ContainerApi, ctx: Ctx): Promise<RemotePost> {
  for (let count = 1; ; count += 1) {
    const stepName = (step: string) => `${post.stepPrefix}${step}${count === 1 ? '' : ` (${count})`}`;
    try {
      const container = await createContainer(post, stepName, api, ctx);
      return await publishOnce(container, post, api, ctx);
    } catch (error) {
      if (count === maxContainers || !hasRecovery(error, 'renew')) throw error;
    }
  }
}

/**
 * A container can be published only once and reports whether it was. That prevents a post from being published twice.
 */
function publishOnce(container: Container, post: ContainerPost, api: ContainerApi, ctx: Ctx): Promise<RemotePost> {
  const adoptPublished = async ({ adopt }: StepRun<RemotePost>, since: Date | number) => {
    const found = await findPublished(container, post, since, api, ctx);
    return (await adopt(found)) ?? Promise.reject(found.inconclusive);
  };
  const publish = async (run: StepRun<RemotePost>) => {
    const { repeatSince } = run;
    const startedAt = repeatSince ?? ctx.now();
    // If no earlier attempt is recorded, one that was taken for refused has published it.
    const state = await assertFinished(container, api, ctx);
    if (state === 'published') return adoptPublished(run, repeatSince ?? container.createdAt);
    await post.assertMayPublish();
    return publishContainer(container, () => adoptPublished(run, startedAt), api, ctx);
  };
  const find = async (since: Date) => {
    const state = await readState(container, api, ctx);
    if (state === 'published') return findPublished(container, post, since, api, ctx);
    // This container was not published, but the one that replaced it may have been.
    if (hasRecovery(state, 'renew')) throw state;
    return exactly<RemotePost>(null);
  };
  // Posts listed without a text all look alike.
  const likeness = fingerprint(post.text ?? '', post.replyTo);
  const step = () => ctx.step(post.step, publish, { find, takenOnce: true, fingerprint: likeness });
  return retryUntilReady(step, container.createdAt, api, ctx);
}

async function publishContainer(
  container: Container,
  adoptPublished: () => Promise<RemotePost>,
  api: ContainerApi,
  ctx: Ctx,
) {
  const path = `/${ctx.credentials.userId}/${api.edge}_publish`;
  try {
    const { id } = await api.call(Created, { path, form: { creation_id: container.id } }, ctx);
    return await withPermalink(id, api.call, ctx);
  } catch (error) {
    if (await isPublishedAnyway(container, error, api, ctx)) return adoptPublished();
    throw error;
  }
}

/** Posts have been seen to be published although the response was an error. */
async function isPublishedAnyway(container: Container, error: unknown, api: ContainerApi, ctx: Ctx): Promise<boolean> {
  const hasResponse = error instanceof PlatformError && error.status !== null;
  if (!hasResponse || error.kind === 'auth' || error.kind === 'rate_limited') return false;
  return (await readState(container, api, ctx).catch(() => null)) === 'published';
}

/**
 * A container reports that it was published, but not as which post: it is a new one with the same text, or without a
 * text the only new one of its kind.
 */
async function findPublished(
  { newestBefore, createdAt }: Container,
  post: ContainerPost,
  publishedSince: Date | number,
  { name }: ContainerApi,
  ctx: Ctx,
) {
  const posts = await post.listPosts();
  const known = posts.findIndex(({ id }) => id === newestBefore);
  const matches = matchesIn(posts.slice(0, known === -1 ? posts.length : known), post.text, post.media);
  // The container may have replaced one that was created before the step began.
  const since = Math.max(Number(publishedSince), createdAt);
  // The list may lag behind. Leave the outcome open, so that a later attempt looks again.
  const inconclusive = new PlatformError('unavailable', messages.notListedYet(name));
  return { ...found(matches, since, false, ctx), inconclusive, areAlike: !isTelling(post.text) };
}
