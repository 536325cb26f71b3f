import { type output, z } from 'zod';
import type { PublishContext, RemotePost } from '../kit/index.ts';
import { type Credentials, callAsPage, listOf, nextOf } from './api.ts';

type Ctx = PublishContext<Credentials>;
/** What is sent. */
export interface Draft {
  text: string;
  link: string | null;
  photoIds: string[];
}

const Target = z.object({ target: z.object({ id: z.string().optional() }).optional() });
const Attachment = Target.extend({ subattachments: z.object({ data: z.array(Target) }).optional() });
const Post = z.object({
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
type Post = output<typeof Post>;
const fields = 'id,message,created_time,permalink_url,status_type,attachments{target{id},subattachments{target{id}}}';

const pageSize = 50;
const maxPages = 5;
/** How far Facebook's clock, which knows no parts of a second, may be behind ours. */
const toleranceMs = 60_000;

/** The Page's own posts since then, newest first: the oldest that equals the draft is ours. */
export async function findPost(draft: Draft, since: Date, ctx: Ctx): Promise<RemotePost | null | undefined> {
  const earliest = since.getTime() - toleranceMs;
  let found: Post | null = null;
  let isUnsure = false;
  let after: string | null = null;
  for (let page = 1; page <= maxPages; page += 1) {
    const list = await publishedPosts(after, ctx);
    const recent = list.data.filter((post) => post.created_time >= earliest);
    found = recent.findLast((post) => isFrom(draft, post)) ?? found;
    isUnsure ||= recent.some((post) => isFrom(draft, post) === undefined);
    after = nextOf(list);
    if (!after || recent.length < list.data.length) return answer(found, isUnsure);
  }
  return answer(found, true);
}

function answer(found: Post | null, isUnsure: boolean): RemotePost | null | undefined {
  if (found) return remotePost(found.id, found.permalink_url);
  return isUnsure ? undefined : null;
}

/** Addresses come without a host at times: `/reel/123/`. */
export const remotePost = (id: string, permalink: string | undefined): RemotePost => ({
  id,
  url: new URL(permalink || id, 'https://www.facebook.com/').href,
});

function publishedPosts(after: string | null, ctx: Ctx) {
  const query = { fields, limit: String(pageSize), ...(after && { after }) };
  return callAsPage(listOf(Post), { path: `/${ctx.credentials.pageId}/published_posts`, query }, ctx);
}

/** Photos are uploaded anew for each post: the same ones are proof. Undefined where Facebook does not say which it shows. */
function isFrom({ text, photoIds }: Draft, post: Post): boolean | undefined {
  if (comparable(post.message) !== comparable(text)) return false;
  if (photoIds.length === 0) return !post.status_type?.startsWith('added_');
  const shown = photosOf(post);
  return shown.length > 0 ? photoIds.every((id) => shown.includes(id)) : undefined;
}

const photosOf = ({ attachments }: Post) =>
  (attachments?.data ?? [])
    .flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
    .flatMap(({ target }) => target?.id ?? []);

/** Facebook does not keep all white space. */
const comparable = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();
