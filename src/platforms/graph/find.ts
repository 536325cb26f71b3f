import { z } from 'zod';
import type { RemotePost } from '../kit/index.ts';
import { type GraphCall, Id, orNull, type SignedIn } from './api.ts';

/** A post of the account, as lists show it. */
export const ListedPost = z.object({
  id: Id,
  permalink: z.string().nullish(),
  timestamp: z.string(),
  text: z.string().default(''),
});
export type ListedPost = z.output<typeof ListedPost>;

/** How far the platform's clock may be behind ours. */
const toleranceMs = 60_000;

/** The oldest post since then with this text. A text of null fits every post. */
export function findOldest(posts: readonly ListedPost[], text: string | null, since: number): RemotePost | null {
  const [oldest] = posts
    .filter((post) => Date.parse(post.timestamp) >= since - toleranceMs)
    .filter((post) => text === null || sameText(post.text, text))
    // Lists are newest first, and times are equal within a second.
    .toReversed()
    .sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
  return oldest ? { id: oldest.id, url: oldest.permalink ?? null } : null;
}

/** Meta does not keep all white space. */
export const sameText = (one: string, other: string) => comparable(one) === comparable(other);
const comparable = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

const Permalink = z.object({ permalink: z.string().nullish() });

/** The address cannot be derived from the id. The post is published even if its address cannot be read. */
export async function withPermalink(id: string, call: GraphCall, ctx: SignedIn): Promise<RemotePost> {
  const post = await orNull(call(Permalink, { path: `/${id}`, query: { fields: 'id,permalink' } }, ctx));
  return { id, url: post?.permalink ?? null };
}
