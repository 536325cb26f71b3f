import { type output, z } from 'zod';
import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, call, ifPermitted } from './api.ts';
import { type NewPost, remotePost } from './new-post.ts';
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

/** Among the author's posts since then, the oldest that equals the new post is ours. */
export async function findPost(sent: NewPost, since: Date, ctx: Ctx): Promise<RemotePost | null | undefined> {
  const earliest = since.getTime() - toleranceMs;
  const matches: Post[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const posts = await postsBy(sent.author, page * pageSize, ctx);
    // Reading needs another permission than posting.
    if (!posts) return undefined;
    matches.push(...posts.filter((post) => post.createdAt >= earliest && isSame(sent, post)));
    // A page of the list may have few posts although more pages follow.
    const isLast = posts.length === 0 || posts.some((post) => (post.lastModifiedAt ?? post.createdAt) < earliest);
    if (isLast) return oldest(matches);
  }
  return oldest(matches) ?? undefined;
}

/** Whether the post with this URN is the new post, sent since then. */
export async function isOurs(urn: string, sent: NewPost, since: Date, ctx: Ctx): Promise<boolean> {
  const path = `/rest/posts/${encodeURIComponent(urn)}?viewContext=AUTHOR`;
  try {
    const post = await call(Post, { path, accessToken: ctx.credentials.accessToken }, ctx);
    return post.createdAt >= since.getTime() - toleranceMs && isSame(sent, post);
  } catch (cause) {
    const message = 'LinkedIn has a post with this text, and Crier could not read whether it is this post.';
    throw new PlatformError('unavailable', message, { reason: urn, mayHaveHappened: true, cause });
  }
}

/** The last modified first. */
async function postsBy(author: string, start: number, ctx: Ctx): Promise<Post[] | null> {
  const path = `/rest/posts?q=author&author=${encodeURIComponent(author)}&start=${start}&count=${pageSize}&sortBy=LAST_MODIFIED`;
  const { accessToken } = ctx.credentials;
  const Page = z.object({ elements: z.array(Post) });
  return (await ifPermitted(call(Page, { path, accessToken, finder: true }, ctx)))?.elements ?? null;
}

/** Files are uploaded for one post only, so the same files prove that it is the same post. */
function isSame(sent: NewPost, post: Post): boolean {
  return (
    filesOf(post.content) === filesOf(sent.content) &&
    post.reshareContext?.parent === sent.reshareContext?.parent &&
    plainText(post.commentary) === plainText(sent.commentary)
  );
}

const filesOf = (content: Post['content'] | NewPost['content'] = {}) =>
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
