import { type Found, found, type PublishContext, type RemotePost, searchFrom } from '../kit/index.ts';
import { api, type Credentials, type Post } from './api.ts';
import { isTextOf } from './match-text.ts';
import { type NewPost, remotePost } from './new-post.ts';
import { readPosts } from './vocabulary.ts';

type Ctx = PublishContext<Credentials>;

const pageSize = 100;
const maxPages = 5;

export async function findPost(post: NewPost, since: Date, ctx: Ctx): Promise<Found<RemotePost>> {
  const { posts, isComplete } = await postsSince(since, ctx);
  const matches = posts
    .filter((candidate) => isSame(post, candidate))
    .map(({ id, createdAt }) => ({ result: remotePost(id, ctx), createdAt: createdAt.getTime(), isSure: true }));
  return found(matches, since, isComplete, ctx);
}

export async function hasText(text: string, since: Date, ctx: Ctx): Promise<boolean> {
  return (await postsSince(since, ctx)).posts.some((post) => isTextOf(withoutMediaLink(post), text));
}

/** X appends a link to the post's media to its text. */
const withoutMediaLink = (post: Post): Post =>
  post.attachments ? { ...post, text: post.text.replace(/\s*https:\/\/t\.co\/\w+$/, '') } : post;

/** The account's own posts, oldest first. X lists the newest first. */
async function postsSince(since: Date, ctx: Ctx) {
  const start = new Date(searchFrom(since, ctx));
  const posts: Post[] = [];
  let token: string | undefined;
  for (let page = 1; page <= maxPages; page += 1) {
    const { data, meta } = await ownPosts(start, token, ctx);
    posts.push(...data);
    token = meta.next_token;
    if (!token) break;
  }
  return { posts: posts.toReversed(), isComplete: !token };
}

function ownPosts(start: Date, token: string | undefined, ctx: Ctx) {
  const query = {
    max_results: String(pageSize),
    exclude: 'retweets',
    // X refuses fractions of a second here.
    start_time: `${start.toISOString().slice(0, 19)}Z`,
    ...(token && { pagination_token: token }),
  };
  const { accessToken } = ctx.credentials;
  return readPosts({ url: `${api}/users/${ctx.account.id}/tweets`, query, accessToken }, ctx);
}

/** Media are uploaded for only one post, so they prove that a post is ours, however X changed its text. */
function isSame(post: NewPost, candidate: Post): boolean {
  const parent = candidate.references.find(({ type }) => type === 'replied_to')?.id ?? null;
  if (parent !== post.inReplyTo) return false;
  const shown = candidate.attachments?.media_keys.map(mediaIdOf) ?? [];
  if (shown.join() !== post.mediaIds.join()) return false;
  return post.mediaIds.length > 0 || isTextOf(candidate, post.text);
}

/** A key consists of a kind and the id: `3_1990000000000000001`. */
const mediaIdOf = (key: string) => key.slice(key.indexOf('_') + 1);
