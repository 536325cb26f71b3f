import { GraphError } from '../graph/failure.ts';
import { whenReady } from '../graph/when-ready.ts';
import { PlatformError, type PublishContext } from '../kit/index.ts';
import { ContainerStatus, Created, type Credentials, call } from './api.ts';
import { carouselDraftOf, type Draft, draftOf, isStory, itemDraftOf, oneMedium, type Post } from './draft.ts';
import { failureOfContainer } from './failure.ts';
import { newestMedium } from './find.ts';

type Ctx = PublishContext<Credentials>;

/** What Instagram makes a post of. One that is never published is seen by nobody, and gone after a day. */
export type Container = {
  id: string;
  createdAt: number;
  /** The newest that the account had published before: what is ours comes after it. */
  newestBefore: string | null;
};
type Item = Pick<Container, 'id' | 'createdAt'>;

/** `nameOf` tells the steps of this container from those of one before it that came to nothing. */
export async function createContainer(post: Post, nameOf: (step: string) => string, ctx: Ctx): Promise<Container> {
  const [first, ...others] = post.media;
  if (!first) throw new PlatformError('rejected', 'An Instagram post needs an image or a video.');
  const name = nameOf('container');
  if (others.length === 0) {
    return ctx.step(name, async () => createHead(await draftOf(first, post), post, ctx), { replayable: true });
  }
  if (isStory(post)) throw new PlatformError('rejected', oneMedium);
  const items = await createItems(post, nameOf, ctx);
  const createCarousel = async () => {
    for (const item of items) await assertDone(item, ctx);
    const ids = items.map(({ id }) => id);
    return createHead(carouselDraftOf(ids, post), post, ctx);
  };
  const since = Math.max(...items.map(({ createdAt }) => createdAt));
  return whenReady(() => ctx.step(name, createCarousel, { replayable: true }), since, ctx, pace);
}

async function createItems({ media }: Post, nameOf: (step: string) => string, ctx: Ctx): Promise<Item[]> {
  const items: Item[] = [];
  for (const [index, one] of media.entries()) {
    const name = nameOf(`item ${index}`);
    items.push(await ctx.step(name, async () => create(await itemDraftOf(one), ctx), { replayable: true }));
  }
  return items;
}

async function createHead(draft: Draft, post: Post, ctx: Ctx): Promise<Container> {
  const newestBefore = await newestMedium(isStory(post), ctx);
  return { ...(await create(draft, ctx)), newestBefore };
}

async function create(draft: Draft, ctx: Ctx): Promise<Item> {
  const { id } = await call(Created, { path: `/${ctx.credentials.userId}/media`, form: draft }, ctx);
  return { id, createdAt: ctx.now().getTime() };
}

export const pace = { secondsBetweenLooks: 5, processingDeadlineMs: 3_600_000 };

type State = 'done' | 'published' | GraphError;

const atWork = { kind: 'unavailable', message: 'Instagram is still at work on the media.', remedy: 'wait' } as const;
const expired = { kind: 'unavailable', message: 'The media expired at Instagram.', remedy: 'renew' } as const;

export async function stateOf({ id }: Item, ctx: Ctx): Promise<State> {
  const query = { fields: 'status_code,status' };
  const { status_code, status } = await call(ContainerStatus, { path: `/${id}`, query }, ctx);
  const details = { reason: status || status_code, mayHaveHappened: false };
  switch (status_code) {
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

/** Fails if Instagram is not done with it, in a way that says whether to wait. */
export async function assertDone(item: Item, ctx: Ctx): Promise<'done' | 'published'> {
  const state = await stateOf(item, ctx);
  if (state instanceof GraphError) throw state;
  return state;
}
