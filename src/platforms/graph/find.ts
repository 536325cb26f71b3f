import { z } from 'zod';
import { normalizeText } from '../../foundation/text/normalize-text.ts';
import type { Match, RemotePost } from '../kit/index.ts';
import { type GraphCall, Id, orNull, type SignedIn } from './api.ts';

/** A post of the account, as shown in lists. */
export const ListedPost = z.object({
  id: Id,
  permalink: z.string().nullish(),
  timestamp: z.string(),
  text: z.string().default(''),
});
export type ListedPost = z.output<typeof ListedPost>;

/** The posts, listed newest first, that have this text. A null text matches every post. */
export const matchesIn = (posts: readonly ListedPost[], text: string | null): Match<RemotePost>[] =>
  posts
    .filter((post) => text === null || sameText(post.text, text))
    .toReversed()
    .map(({ id, permalink, timestamp }) => ({
      result: { id, url: permalink ?? null },
      createdAt: Date.parse(timestamp),
      isSure: true,
    }));

/** Meta does not preserve all white space. */
export const sameText = (one: string, other: string) => comparable(one) === comparable(other);
const comparable = (text: string) => normalizeText(text).replace(/\s+/g, ' ').trim();

const Permalink = z.object({ permalink: z.string().nullish() });

/** The URL cannot be derived from the id. The post is published even if its URL cannot be read. */
export async function withPermalink(id: string, call: GraphCall, ctx: SignedIn): Promise<RemotePost> {
  const post = await orNull(call(Permalink, { path: `/${id}`, query: { fields: 'id,permalink' } }, ctx));
  return { id, url: post?.permalink ?? null };
}
