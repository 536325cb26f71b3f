import { type output, z } from 'zod';
import { sameText } from '../graph/find.ts';
import type { PublishContext, RemotePost } from '../kit/index.ts';
import { type Credentials, callAsPage, listOf, nextCursor } from './api.ts';

type Ctx = PublishContext<Credentials>;

/** A post as it is sent. */
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
/** How far Facebook's clock, which has no fractions of a second, may be behind ours. */
const toleranceMs = 60_000;

/** The Page's posts are listed newest first. The oldest match since then is ours. */
export async function findPost(post: FeedPost, since: Date, ctx: Ctx): Promise<RemotePost | null | undefined> {
  const earliest = since.getTime() - toleranceMs;
  let found: ListedPost | null = null;
  let isUnsure = false;
  let after: string | null = null;
  for (let page = 1; page <= maxPages; page += 1) {
    const list = await publishedPosts(after, ctx);
    const recent = list.data.filter((listed) => listed.created_time >= earliest);
    found = recent.findLast((listed) => matches(post, listed)) ?? found;
    isUnsure ||= recent.some((listed) => matches(post, listed) === undefined);
    after = nextCursor(list);
    if (!after || recent.length < list.data.length) return outcome(found, isUnsure);
  }
  return outcome(found, true);
}

function outcome(found: ListedPost | null, isUnsure: boolean): RemotePost | null | undefined {
  if (found) return remotePost(found.id, found.permalink_url);
  return isUnsure ? undefined : null;
}

/** Permalinks lack the host at times: `/reel/123/`. */
export const remotePost = (id: string, permalink: string | undefined): RemotePost => ({
  id,
  url: new URL(permalink || id, 'https://www.facebook.com/').href,
});

function publishedPosts(after: string | null, ctx: Ctx) {
  const query = { fields, limit: String(pageSize), ...(after && { after }) };
  return callAsPage(listOf(ListedPost), { path: `/${ctx.credentials.pageId}/published_posts`, query }, ctx);
}

/** Each post uploads its own photos, so the same ids are proof. Undefined if Facebook does not tell which ones it shows. */
function matches({ text, photoIds }: FeedPost, listed: ListedPost): boolean | undefined {
  if (!sameText(listed.message, text)) return false;
  if (photoIds.length === 0) return !listed.status_type?.startsWith('added_');
  const shown = photosOf(listed);
  return shown.length > 0 ? photoIds.every((id) => shown.includes(id)) : undefined;
}

const photosOf = ({ attachments }: ListedPost) =>
  (attachments?.data ?? [])
    .flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
    .flatMap(({ target }) => target?.id ?? []);
