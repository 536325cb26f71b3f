import { type Context, PlatformError, type RemotePost } from '../kit/index.ts';
import { type Credentials, call, type Medium, OwnMedia } from './api.ts';
import type { Container } from './container.ts';
import { isStory, type Post } from './draft.ts';

type Ctx = Context<Credentials>;

/** How far Instagram's clock may be behind ours. */
const toleranceMs = 60_000;

/** A container says that it was published, but not as what: the oldest of the new ones with this caption is ours. */
export async function publishedFrom(container: Container, post: Post, ctx: Ctx): Promise<RemotePost> {
  const media = await ownMedia(isStory(post), ctx);
  const known = media.findIndex(({ id }) => id === container.newestBefore);
  const found = media
    .slice(0, known === -1 ? media.length : known)
    .filter(({ timestamp }) => Date.parse(timestamp) >= container.createdAt - toleranceMs)
    .findLast(({ caption }) => isStory(post) || comparable(caption) === comparable(post.text));
  if (found) return remotePost(found);
  // In doubt, so that a later run looks again: the list may lag behind.
  throw new PlatformError('unavailable', 'Instagram has published this post, but does not show it yet.');
}

export async function newestMedium(story: boolean, ctx: Ctx): Promise<string | null> {
  const [newest] = await ownMedia(story, ctx, 1);
  return newest?.id ?? null;
}

export const remotePost = ({ id, permalink }: Medium): RemotePost => ({ id, url: permalink ?? null });

const pageSize = 50;

/** Newest first. Stories are in a list of their own. */
async function ownMedia(stories: boolean, ctx: Ctx, limit = pageSize) {
  const path = `/${ctx.credentials.userId}/${stories ? 'stories' : 'media'}`;
  const query = { fields: 'id,caption,permalink,timestamp', limit: String(limit) };
  return (await call(OwnMedia, { path, query }, ctx)).data;
}

const comparable = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();
