import { type Context, PlatformError, type RemotePost } from '../kit/index.ts';
import { type Credentials, call, type Linked, OwnPosts } from './api.ts';
import type { Container, Part } from './container.ts';

type Ctx = Context<Credentials>;

/** How far the clock of Threads may be behind ours. */
const toleranceMs = 60_000;

/** A container says that it was published, but not as what: the oldest of the new posts with this text is ours. */
export async function publishedFrom(container: Container, { post, inReplyTo }: Part, ctx: Ctx): Promise<RemotePost> {
  const posts = inReplyTo ? await ownReplies(inReplyTo, ctx) : await ownPosts(ctx);
  const known = posts.findIndex(({ id }) => id === container.newestBefore);
  const found = oldestOf(post.text, container.createdAt, posts.slice(0, known === -1 ? posts.length : known));
  if (found) return found;
  // In doubt, so that a later run looks again: the list may lag behind.
  throw new PlatformError('unavailable', 'Threads has published this post, but does not show it yet.');
}

export async function findReply(text: string, on: RemotePost, since: Date, ctx: Ctx): Promise<RemotePost | null> {
  return oldestOf(text, since.getTime(), await ownReplies(on.id, ctx));
}

export async function newestPost(ctx: Ctx): Promise<string | null> {
  const [newest] = await ownPosts(ctx, 1);
  return newest?.id ?? null;
}

export const remotePost = ({ id, permalink }: Linked): RemotePost => ({ id, url: permalink ?? null });

type Listed = Awaited<ReturnType<typeof list>>;

function oldestOf(text: string, since: number, posts: Listed): RemotePost | null {
  const [oldest] = posts
    .filter((post) => Date.parse(post.timestamp) >= since - toleranceMs && comparable(post.text) === comparable(text))
    .toReversed()
    .sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
  return oldest ? remotePost(oldest) : null;
}

const pageSize = 100;

/** Newest first, without replies. */
const ownPosts = (ctx: Ctx, limit = pageSize) => list('/me/threads', limit, ctx);

async function ownReplies(to: string, ctx: Ctx): Promise<Listed> {
  const replies = await list(`/${to}/replies`, pageSize, ctx);
  return replies.filter(({ username }) => username === undefined || username === ctx.account.handle);
}

async function list(path: string, limit: number, ctx: Ctx) {
  const query = { fields: 'id,text,permalink,timestamp,username', limit: String(limit) };
  return (await call(OwnPosts, { path, query }, ctx)).data;
}

const comparable = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();
