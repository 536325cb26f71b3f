import type { Json } from '../../foundation/lib/json.ts';
import type { Media, PublishContext } from '../kit/index.ts';
import { Created, type GraphCall, type SignedIn } from './api.ts';
import { GraphError, hasRecovery } from './failure.ts';
import type { ListedPost } from './find.ts';

export type ContainerContext = PublishContext<{ accessToken: string; userId: string }>;
type Ctx = ContainerContext;

/** By the platform's parameter names. */
export type ContainerParameters = Record<string, string>;

/** How a platform creates posts from containers. */
export interface ContainerApi {
  readonly name: string;
  readonly call: GraphCall;
  /** The account's edge that creates containers. The edge that publishes them is `<edge>_publish`. */
  readonly edge: string;
  readonly pollSeconds: number;
  readonly processingDeadlineMs: number;
  readStatus(id: string, ctx: SignedIn): Promise<{ status: string; reason: string }>;
  /** Maps the reason of a failed container to an error. */
  failureOf(reason: string): GraphError;
}

/** A post, or a part of a thread. */
export interface ContainerPost {
  /** Name of the step that publishes it. */
  readonly step: string;
  /** Prefix of the steps that create its containers, so that parts of a thread do not share them. */
  readonly stepPrefix: string;
  readonly media: readonly Media[];
  /** The text that lists show for it. Null if they show none. */
  readonly text: string | null;
  readonly replyTo: string | null;
  itemParameters(media: Media): Promise<ContainerParameters>;
  /** Parameters of the container to publish. `itemIds` is empty unless it is a carousel. */
  parameters(itemIds: readonly string[]): Promise<ContainerParameters>;
  /** Throws if the account may not publish at the moment. */
  assertMayPublish(): Promise<void>;
  /** The account's posts that would include this one, newest first. */
  listPosts(limit?: number): Promise<ListedPost[]>;
}

/**
 * A post is created from a container. A container that is never published is visible to no one and expires after a day.
 */
export type Container = Item & {
  /** The account's newest post when the container was created: the published post is newer. Null for replies. */
  newestBefore: string | null;
};
type Item = { id: string; createdAt: number };

type StepName = (step: string) => string;

/** `stepName` keeps the steps of this container apart from those of others. */
export async function createContainer(post: ContainerPost, stepName: StepName, api: ContainerApi, ctx: Ctx) {
  const items = await createItems(post, stepName, api, ctx);
  const create = async (): Promise<Container> => {
    for (const item of items) await assertFinished(item, api, ctx);
    const parameters = await post.parameters(items.map(({ id }) => id));
    const newestBefore = post.replyTo ? null : await newestPostId(post);
    return { ...(await createItem(parameters, api, ctx)), newestBefore };
  };
  const step = () => ctx.step(stepName('container'), create, { replayable: true });
  const since = await waitingSince(items, post, stepName, ctx);
  return since === null ? step() : retryUntilReady(step, since, api, ctx);
}

async function createItems({ media, itemParameters }: ContainerPost, stepName: StepName, api: ContainerApi, ctx: Ctx) {
  const items: Item[] = [];
  for (const [index, one] of media.length > 1 ? media.entries() : []) {
    const create = async () => createItem(await itemParameters(one), api, ctx);
    items.push(await ctx.step(stepName(`item ${index}`), create, { replayable: true }));
  }
  return items;
}

async function createItem(form: ContainerParameters, api: ContainerApi, ctx: Ctx): Promise<Item> {
  const path = `/${ctx.credentials.userId}/${api.edge}`;
  const { id } = await api.call(Created, { path, form }, ctx);
  return { id, createdAt: ctx.now().getTime() };
}

async function newestPostId({ listPosts }: ContainerPost): Promise<string | null> {
  const [newest] = await listPosts(1);
  return newest?.id ?? null;
}

/** A container waits for its items, and for a parent that is too new to be known everywhere on the platform. */
async function waitingSince(items: readonly Item[], post: ContainerPost, stepName: StepName, ctx: Ctx) {
  if (items.length > 0) return Math.max(...items.map(({ createdAt }) => createdAt));
  if (!post.replyTo) return null;
  return ctx.step(stepName('started'), async () => ctx.now().getTime(), { replayable: true });
}

/** Runs the work once the platform has processed what it needs, unless that takes too long. */
export function retryUntilReady<T extends Json>(work: () => Promise<T>, since: number, api: ContainerApi, ctx: Ctx) {
  let unready: unknown;
  const attempt = () =>
    work().catch((error: unknown) => {
      if (!hasRecovery(error, 'wait')) throw error;
      unready = error;
      return null;
    });
  const late = () => {
    throw unready;
  };
  const msLeft = since + api.processingDeadlineMs - ctx.now().getTime();
  return ctx.until<T>(attempt, { seconds: api.pollSeconds, msLeft, late });
}

/** Throws if the container is not finished. The error says whether to wait. */
export async function assertFinished(item: Item, api: ContainerApi, ctx: Ctx): Promise<'finished' | 'published'> {
  const state = await readState(item, api, ctx);
  if (state instanceof GraphError) throw state;
  return state;
}

export async function readState(
  { id }: Item,
  api: ContainerApi,
  ctx: Ctx,
): Promise<'finished' | 'published' | GraphError> {
  const { status, reason } = await api.readStatus(id, ctx);
  const unfinished = (message: string, recovery: 'wait' | 'renew') =>
    new GraphError({ kind: 'unavailable', message, recovery }, { reason });
  switch (status) {
    case 'FINISHED':
      return 'finished';
    case 'PUBLISHED':
      return 'published';
    case 'ERROR':
      return api.failureOf(reason);
    case 'EXPIRED':
      return unfinished(`The post expired at ${api.name} before it was published. Publish it again.`, 'renew');
    default:
      return unfinished(`${api.name} is still processing the post. Try again later.`, 'wait');
  }
}
