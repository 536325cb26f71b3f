import type { PublishContext, RemotePost } from '../kit/index.ts';
import { type Credentials, call, type Post, signedIn, Timeline } from './api.ts';
import { isTextOf } from './match-text.ts';

type Ctx = PublishContext<Credentials>;
/** What is sent. */
export interface Draft {
  text: string;
  mediaIds: string[];
  inReplyTo: string | null;
}

const pageSize = 100;
const maxPages = 5;
/** How far X's clock may be behind ours. */
const toleranceMs = 60_000;

/** The account's own posts since then, newest first: the oldest that equals the draft is ours. */
export async function findPost(draft: Draft, since: Date, ctx: Ctx): Promise<RemotePost | null | undefined> {
  const start = new Date(since.getTime() - toleranceMs);
  let found: Post | null = null;
  let token: string | undefined;
  for (let page = 1; page <= maxPages; page += 1) {
    const { data, meta } = await ownPosts(start, token, ctx);
    found = data.findLast((post) => isFrom(draft, post)) ?? found;
    token = meta.next_token;
    if (!token) return found && remotePost(found.id, ctx);
  }
  return found ? remotePost(found.id, ctx) : undefined;
}

export const remotePost = (id: string, { account }: Ctx): RemotePost => ({
  id,
  url: `https://x.com/${account.handle}/status/${id}`,
});

function ownPosts(start: Date, token: string | undefined, ctx: Ctx) {
  const query = new URLSearchParams({
    max_results: String(pageSize),
    exclude: 'retweets',
    // Without parts of a second.
    start_time: `${start.toISOString().slice(0, 19)}Z`,
    'tweet.fields': 'attachments,entities,note_tweet,referenced_tweets',
    ...(token && { pagination_token: token }),
  });
  return call(Timeline, { ...signedIn(ctx), path: `/users/${ctx.account.id}/tweets?${query}` }, ctx);
}

/** Our uploads prove a post to be ours, whatever X made of its text. */
function isFrom(draft: Draft, post: Post): boolean {
  const parent = post.referenced_tweets.find(({ type }) => type === 'replied_to')?.id ?? null;
  if (parent !== draft.inReplyTo) return false;
  const shown = post.attachments?.media_keys.map(mediaIdOf) ?? [];
  if (shown.join() !== draft.mediaIds.join()) return false;
  return draft.mediaIds.length > 0 || isTextOf(post, draft.text);
}

/** A key is a kind and the id: `3_1990000000000000001`. */
const mediaIdOf = (key: string) => key.slice(key.indexOf('_') + 1);
