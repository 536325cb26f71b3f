import { type output, z } from 'zod';
import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, call, ifPermitted } from './api.ts';
import { type Draft, remotePost } from './draft.ts';
import { plainText } from './text.ts';

type Ctx = PublishContext<Credentials>;

const Post = z.object({
  id: z.string().min(1),
  commentary: z.string().default(''),
  createdAt: z.number(),
  lastModifiedAt: z.number().optional(),
  content: z
    .object({
      media: z.object({ id: z.string() }).optional(),
      multiImage: z.object({ images: z.array(z.object({ id: z.string() })) }).optional(),
    })
    .optional(),
  reshareContext: z.object({ parent: z.string() }).optional(),
});
type Post = output<typeof Post>;

const pageSize = 50;
const maxPages = 5;
/** How far LinkedIn's clock may be behind ours. */
const toleranceMs = 60_000;

/** Among the author's posts since then, the oldest that equals the draft is ours. */
export async function find(draft: Draft, since: Date, ctx: Ctx): Promise<RemotePost | null | undefined> {
  const earliest = since.getTime() - toleranceMs;
  const matches: Post[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const posts = await postsBy(draft.author, page * pageSize, ctx);
    // The permission to read is granted apart from the one to post.
    if (!posts) return undefined;
    matches.push(...posts.filter((post) => post.createdAt >= earliest && isFrom(draft, post)));
    // A page of the list may be short although more follow.
    const isLast = posts.length === 0 || posts.some((post) => (post.lastModifiedAt ?? post.createdAt) < earliest);
    if (isLast) return oldest(matches);
  }
  return oldest(matches) ?? undefined;
}

/** Whether the post that LinkedIn names is the draft, sent since then. */
export async function isOurs(urn: string, draft: Draft, since: Date, ctx: Ctx): Promise<boolean> {
  const path = `/rest/posts/${encodeURIComponent(urn)}?viewContext=AUTHOR`;
  try {
    const post = await call(Post, { path, accessToken: ctx.credentials.accessToken }, ctx);
    return post.createdAt >= since.getTime() - toleranceMs && isFrom(draft, post);
  } catch (cause) {
    const message = 'LinkedIn has a post with this text, and did not tell whether it is this one.';
    throw new PlatformError('unavailable', message, { reason: urn, mayHaveHappened: true, cause });
  }
}

/** Last modified first. */
async function postsBy(author: string, start: number, ctx: Ctx): Promise<Post[] | null> {
  const path = `/rest/posts?q=author&author=${encodeURIComponent(author)}&start=${start}&count=${pageSize}&sortBy=LAST_MODIFIED`;
  const { accessToken } = ctx.credentials;
  const Page = z.object({ elements: z.array(Post) });
  return (await ifPermitted(call(Page, { path, accessToken, finder: true }, ctx)))?.elements ?? null;
}

/** Files are uploaded anew for each post: the same ones are proof in themselves. */
function isFrom(draft: Draft, post: Post): boolean {
  return (
    filesOf(post.content) === filesOf(draft.content) &&
    post.reshareContext?.parent === draft.reshareContext?.parent &&
    plainText(post.commentary) === plainText(draft.commentary)
  );
}

const filesOf = (content: Post['content'] | Draft['content'] = {}) =>
  [
    ...('media' in content && content.media ? [content.media] : []),
    ...('multiImage' in content && content.multiImage ? content.multiImage.images : []),
  ]
    .map(({ id }) => id)
    .join();

function oldest(posts: readonly Post[]): RemotePost | null {
  const [first] = posts.toSorted((one, other) => one.createdAt - other.createdAt);
  return first ? remotePost(first.id) : null;
}
