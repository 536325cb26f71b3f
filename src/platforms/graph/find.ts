import { z } from 'zod';
import { normalizeText } from '../../foundation/text/normalize-text.ts';
import type { Match, Media, RemotePost } from '../kit/index.ts';
import { type GraphCall, Id, orNull, type SignedIn } from './api.ts';

/** A post of the account, as shown in lists. */
export const ListedPost = z.object({
  id: Id,
  permalink: z.string().nullish(),
  timestamp: z.string(),
  text: z.string().default(''),
  media_type: z.string().optional(),
});
export type ListedPost = z.output<typeof ListedPost>;

/** Whether the text tells a post apart from others of the account. Null if lists show none. */
export const isTelling = (text: string | null): text is string => text !== null && comparable(text) !== '';

/** Posts with these files, listed newest first, that have this text. */
export const matchesIn = (
  posts: readonly ListedPost[],
  text: string | null,
  media: readonly Media[] = [],
): Match<RemotePost>[] =>
  posts
    .filter((post) => text === null || sameText(post.text, text))
    .filter(({ media_type: kind = kindOf(media) }) => isTelling(text) || kind === kindOf(media))
    .toReversed()
    .map(({ id, permalink, timestamp }) => ({
      result: { id, url: permalink ?? null },
      createdAt: Date.parse(timestamp),
      isSure: true,
    }));

/** As the platforms name it in `media_type`. */
const kindOf = ([first, ...others]: readonly Media[]) =>
  others.length > 0 ? 'CAROUSEL_ALBUM' : first?.kind === 'video' ? 'VIDEO' : 'IMAGE';

/** Meta does not preserve all white space. */
export const sameText = (one: string, other: string) => comparable(one) === comparable(other);
const comparable = (text: string) => normalizeText(text).replace(/\s+/g, ' ').trim();

const Permalink = z.object({ permalink: z.string().nullish() });

/** The URL cannot be derived from the id. The post is published even if its URL cannot be read. */
export async function withPermalink(id: string, call: GraphCall, ctx: SignedIn): Promise<RemotePost> {
  const post = await orNull(call(Permalink, { path: `/${id}`, query: { fields: 'id,permalink' } }, ctx));
  return { id, url: post?.permalink ?? null };
}
