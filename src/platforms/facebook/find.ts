import { type output, z } from 'zod';
import { sameText } from '../graph/find.ts';
import { type Found, found, type Match, type PublishContext, type RemotePost, searchFrom } from '../kit/index.ts';
import { type Credentials, callAsPage, listOf, nextCursor } from './api.ts';

type Ctx = PublishContext<Credentials>;

/** A post to send. */
export interface FeedPost {
  text: string;
  link: string | null;
  photoIds: string[];
}

const Target = z.object({ target: z.object({ id: z.string().optional() }).optional() });
const Attachment = Target.extend({ subattachments: z.object({ data: z.array(Target) }).optional() });
const ListedPost = z.object({
  id: z.string().min(1),
  message: z.string().default(''),
  created_time: z
    .string()
    .transform((time) => Date.parse(time))
    .pipe(z.number()),
  permalink_url: z.string().optional(),
  status_type: z.string().optional(),
  attachments: z.object({ data: z.array(Attachment) }).optional(),
});
type ListedPost = output<typeof ListedPost>;
const fields = 'id,message,created_time,permalink_url,status_type,attachments{target{id},subattachments{target{id}}}';

const pageSize = 50;
const maxPages = 5;

export async function findPost(post: FeedPost, since: Date, ctx: Ctx): Promise<Found<RemotePost>> {
  const { posts, isComplete } = await postsSince(since, ctx);
  const matches = posts.flatMap((listed) => match(post, listed));
  return found(matches, since, isComplete, ctx);
}

export async function hasText(text: string, since: Date, ctx: Ctx): Promise<boolean> {
  return (await postsSince(since, ctx)).posts.some(({ message }) => sameText(message, text));
}

/** The Page's posts, oldest first. Facebook lists the newest first. */
async function postsSince(since: Date, ctx: Ctx) {
  const posts: ListedPost[] = [];
  let after: string | null = null;
  for (let page = 1; page <= maxPages; page += 1) {
    const list = await publishedPosts(after, ctx);
    const recent = list.data.filter(({ created_time }) => created_time >= searchFrom(since, ctx));
    posts.push(...recent);
    after = recent.length < list.data.length ? null : nextCursor(list);
    if (!after) break;
  }
  return { posts: posts.toReversed(), isComplete: !after };
}

/** Permalinks sometimes lack the host: `/reel/123/`. */
export const remotePost = (id: string, permalink: string | undefined): RemotePost => ({
  id,
  url: new URL(permalink || id, 'https://www.facebook.com/').href,
});

function publishedPosts(after: string | null, ctx: Ctx) {
  const query = { fields, limit: String(pageSize), ...(after && { after }) };
  return callAsPage(listOf(ListedPost), { path: `/${ctx.credentials.pageId}/published_posts`, query }, ctx);
}

function match(post: FeedPost, listed: ListedPost): Match<RemotePost>[] {
  const isSure = isSame(post, listed);
  if (isSure === false) return [];
  const result = remotePost(listed.id, listed.permalink_url);
  return [{ result, createdAt: listed.created_time, isSure: isSure === true }];
}

/** Each post uploads its own photos, so equal ids are proof. Undefined if Facebook does not say which ones it shows. */
function isSame({ text, photoIds }: FeedPost, listed: ListedPost): boolean | undefined {
  if (!sameText(listed.message, text)) return false;
  if (photoIds.length === 0) return !listed.status_type?.startsWith('added_');
  const shown = photosOf(listed);
  return shown.length > 0 ? photoIds.every((id) => shown.includes(id)) : undefined;
}

const photosOf = ({ attachments }: ListedPost) =>
  (attachments?.data ?? [])
    .flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
    .flatMap(({ target }) => target?.id ?? []);
