import { z } from 'zod';
import { ListedPost } from '../graph/find.ts';
import type { Context } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';

const MediaList = z.object({
  data: z.array(ListedPost.omit({ text: true }).extend({ caption: z.string().default('') })),
});

const pageSize = 50;

/** Newest first. Stories have a separate list. */
export async function listPosts(
  kind: 'stories' | 'media',
  ctx: Context<Credentials>,
  limit = pageSize,
): Promise<ListedPost[]> {
  const path = `/${ctx.credentials.userId}/${kind}`;
  const query = { fields: 'id,caption,permalink,timestamp,media_type', limit: String(limit) };
  const { data } = await call(MediaList, { path, query }, ctx);
  return data.map(({ caption, ...post }) => ({ ...post, text: caption }));
}
