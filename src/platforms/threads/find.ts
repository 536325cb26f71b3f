import { z } from 'zod';
import { ListedPost, matchesIn } from '../graph/find.ts';
import { type Context, type Found, found, type RemotePost } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';

type Ctx = Context<Credentials>;

/** Threads may not list a reply yet, so its absence from the list proves nothing. */
export async function findReply(text: string, on: RemotePost, since: Date, ctx: Ctx): Promise<Found<RemotePost>> {
  return found(matchesIn(await listReplies(on.id, ctx), text), since, false, ctx);
}

const pageSize = 100;

/** Newest first, without replies. */
export const listPosts = (ctx: Ctx, limit = pageSize) => readList('/me/threads', limit, ctx);

/** Our own replies to a post. */
export async function listReplies(to: string, ctx: Ctx) {
  const replies = await readList(`/${to}/replies`, pageSize, ctx);
  return replies.filter(({ username }) => username === undefined || username === ctx.account.handle);
}

const PostList = z.object({ data: z.array(ListedPost.extend({ username: z.string().optional() })) });

async function readList(path: string, limit: number, ctx: Ctx) {
  const query = { fields: 'id,text,permalink,timestamp,media_type,username', limit: String(limit) };
  return (await call(PostList, { path, query }, ctx)).data;
}
