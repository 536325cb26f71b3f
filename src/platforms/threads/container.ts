import { GraphError } from '../graph/failure.ts';
import { whenReady } from '../graph/when-ready.ts';
import type { PublishContext } from '../kit/index.ts';
import { ContainerStatus, Created, type Credentials, call } from './api.ts';
import { carouselOf, type Draft, itemOf, mediumOf, type Post, wordsOf } from './draft.ts';
import { failureOfContainer } from './failure.ts';
import { newestPost } from './find.ts';

type Ctx = PublishContext<Credentials>;

/** What Threads makes a post of. One that is never published is seen by nobody, and gone after a day. */
export type Container = {
  id: string;
  createdAt: number;
  /** The newest that the account had posted before: what is ours comes after it. Not looked up for replies. */
  newestBefore: string | null;
};
type Item = Pick<Container, 'id' | 'createdAt'>;

/** A post, or a part of a thread. */
export interface Part {
  /** Of the step that publishes it. */
  name: string;
  post: Post;
  inReplyTo: string | null;
}

/** `nameOf` tells the steps of this container from those of others. */
export async function createContainer(part: Part, nameOf: (step: string) => string, ctx: Ctx): Promise<Container> {
  const { media } = part.post;
  const since = await ctx.step(nameOf('begun'), async () => ctx.now().getTime(), { replayable: true });
  const items = media.length > 1 ? await createItems(part.post, nameOf, ctx) : [];
  const make = async () => {
    for (const item of items) await assertDone(item, ctx);
    const about = items.length > 0 ? carouselOf(items.map(({ id }) => id)) : await mediumOf(media[0]);
    const newestBefore = part.inReplyTo ? null : await newestPost(ctx);
    return { ...(await create({ ...about, ...wordsOf(part.post, part.inReplyTo) }, ctx)), newestBefore };
  };
  // Also where the post to reply to is so new that Threads does not know it everywhere yet.
  return whenReady(() => ctx.step(nameOf('container'), make, { replayable: true }), since, ctx, pace);
}

async function createItems({ media }: Post, nameOf: (step: string) => string, ctx: Ctx): Promise<Item[]> {
  const items: Item[] = [];
  for (const [index, one] of media.entries()) {
    const name = nameOf(`item ${index}`);
    items.push(await ctx.step(name, async () => create(await itemOf(one), ctx), { replayable: true }));
  }
  return items;
}

async function create(draft: Draft, ctx: Ctx): Promise<Item> {
  const { id } = await call(Created, { path: `/${ctx.credentials.userId}/threads`, form: draft }, ctx);
  return { id, createdAt: ctx.now().getTime() };
}

export const pace = { secondsBetweenLooks: 3, processingDeadlineMs: 30 * 60_000 };

type State = 'done' | 'published' | GraphError;

const atWork = { kind: 'unavailable', message: 'Threads is still at work on the post.', remedy: 'wait' } as const;
const expired = { kind: 'unavailable', message: 'The post expired at Threads.', remedy: 'renew' } as const;

export async function stateOf({ id }: Item, ctx: Ctx): Promise<State> {
  const query = { fields: 'id,status,error_message' };
  const { status, error_message } = await call(ContainerStatus, { path: `/${id}`, query }, ctx);
  const details = { reason: error_message || status, mayHaveHappened: false };
  switch (status) {
    case 'FINISHED':
      return 'done';
    case 'PUBLISHED':
      return 'published';
    case 'ERROR':
      return failureOfContainer(details.reason);
    case 'EXPIRED':
      return new GraphError(expired, details);
    default:
      return new GraphError(atWork, details);
  }
}

/** Fails if Threads is not done with it, in a way that says whether to wait. */
export async function assertDone(item: Item, ctx: Ctx): Promise<'done' | 'published'> {
  const state = await stateOf(item, ctx);
  if (state instanceof GraphError) throw state;
  return state;
}
