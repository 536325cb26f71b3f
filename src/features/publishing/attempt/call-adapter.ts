import type { Core } from '../../../app.ts';
import { wrapDatabaseErrors } from '../../../foundation/db/database-error.ts';
import { attachedMediaId } from '../../../platforms/attached-images.ts';
import { platformFor } from '../../../platforms/index.ts';
import {
  type Platform,
  PlatformError,
  type PostContent,
  type PublishNote,
  type RemotePost,
  webAddress,
} from '../../../platforms/kit/index.ts';
import { reconcilingRunner, stepRunner, until } from '../../../platforms/kit/steps.ts';
import { withAnyContext, withContext } from '../../connections/connections.ts';
import { MediaGoneError, outgoingMedia, requireStored, selectMedia } from '../../files/files.ts';
import { filesOfTarget } from '../../files/files-of-target.ts';
import type { ClaimedPost } from '../lanes/claim-queries.ts';
import type { PublishingApp } from './batched-writes.ts';
import type { DeferredSteps } from './deferred-steps.ts';
import { recordNote } from './post-queries.ts';
import type { PostClaim } from './step-store.ts';

/** One run of a post that this worker has claimed. */
export interface Attempt {
  post: ClaimedPost;
  claim: PostClaim;
  steps: DeferredSteps;
  signal: AbortSignal;
  log: Core['log'];
}

/** How to run an adapter: to publish, or only to find out what it already published. */
interface RunMode {
  runner: typeof stepRunner;
  as: typeof withContext;
}
/** Adds the name of every step this run reaches to `reached`. */
export const publishing = (reached: Set<string>): RunMode => ({
  as: withContext,
  runner: (store) => {
    const step = stepRunner(store);
    return (name, ...work) => {
      reached.add(name);
      return step(name, ...work);
    };
  },
});
/** Sends nothing. Stored steps can be read even if the platform has rejected the credentials. */
export const reconciling: RunMode = { runner: reconcilingRunner, as: withAnyContext };

/** Runs the platform's adapter once. Returns the published posts: one, or all parts of a thread in order. */
export async function callAdapter(
  app: PublishingApp,
  { post, claim, steps, signal }: Attempt,
  { runner, as }: RunMode,
): Promise<RemotePost[]> {
  const platform: Platform | null = platformFor(post.platform);
  if (!platform) throw new PlatformError('rejected', `Unknown platform: ${post.platform}`);
  await using content = await contentOf(app, post, platform);
  // Await here, so the files stay open until the adapter is done with them.
  return await as(app, platform, post.connection, signal, async (context) => {
    const note = (name: PublishNote, error?: PlatformError) => wrapDatabaseErrors(recordNote(app, claim, name, error));
    // A request can depend on a step, such as an upload on the session in which it can be found again. So the step must be
    // stored first.
    const fetch: typeof context.fetch = async (...request) => {
      await steps.settle();
      return context.fetch(...request);
    };
    const ctx = { ...context, fetch, postId: post.id, step: runner(steps), until, note };
    const [head, ...rest] = content.parts;
    const posts =
      rest.length > 0 && platform.publishThread
        ? await platform.publishThread([head, ...rest], ctx)
        : [await platform.publish(head, ctx)];
    // Users open these links, so they must be web addresses.
    return posts.map(({ id, url }) => ({ id, url: webAddress(url) }));
  });
}

type Content = PostContent<Record<string, unknown>>;

/** The parts of the text. Media files belong to the first part. */
async function contentOf(app: Core, post: ClaimedPost, platform: Platform) {
  const settings = platform.settings.parse(post.settings);
  const thumbnailId = attachedMediaId(platform.id, settings);
  const wanted = [...post.mediaIds, ...(thumbnailId ? [thumbnailId] : [])];
  const records = await wrapDatabaseErrors(selectMedia(app.db, post.userId, wanted));
  const files = post.mediaIds.map((id) => {
    const record = records.find((found) => found.id === id);
    return { id, shared: record?.shared ?? true, record };
  });
  const ready = filesOfTarget(post.ownMediaIds, files).map(({ id, record }) => {
    if (record?.status === 'ready') return record;
    const code = record ? 'MEDIA_VALIDATION_FAILED' : 'MEDIA_REFERENCE_MISSING';
    throw new MediaGoneError(id, code, 'A media file of this post is missing or was rejected. Upload it again.');
  });
  if (post.isFirstRun) await requireStored(app, ready);
  const limits = platform.limitsFor?.(post.connection.traits) ?? platform.limits;
  const stack = new AsyncDisposableStack();
  const outgoing = stack.use(await outgoingMedia(app, ready, limits));
  const images = records.filter(({ id, status }) => id === thumbnailId && status === 'ready');
  const { media: thumbnails } = stack.use(await outgoingMedia(app, images, { images: null }));
  const texts = post.threadParts.length > 1 ? post.threadParts.map(({ content }) => content) : [post.content];
  const [first = '', ...rest] = texts;
  const head: Content = { text: first, media: outgoing.media, thumbnail: thumbnails[0] ?? null, settings };
  const parts = [head, ...rest.map((text): Content => ({ text, media: [], thumbnail: null, settings }))] as const;
  return { parts, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
