import { type output, z } from 'zod';
import {
  type Found,
  found,
  type Match,
  PlatformError,
  type PublishContext,
  type RemotePost,
  searchFrom,
} from '../kit/index.ts';
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

/** Reads back a company page's posts. Reading needs a different permission than posting. */
export async function findPost(sent: NewPost, since: Date, ctx: Ctx): Promise<Found<RemotePost>> {
  const matches: Match<RemotePost>[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const posts = await postsBy(sent.author, page * pageSize, ctx);
    if (!posts) return found(matches, since, false, ctx);
    matches.push(...posts.filter((post) => isSame(sent, post)).map(match));
    const earliest = searchFrom(since, ctx);
    // A page of the list may have few posts although more pages follow.
    const isLast = posts.length === 0 || posts.some((post) => (post.lastModifiedAt ?? post.createdAt) < earliest);
    if (isLast) return found(matches, since, true, ctx);
  }
  return found(matches, since, false, ctx);
}

const match = ({ id, createdAt }: Post): Match<RemotePost> => ({ result: remotePost(id), createdAt, isSure: true });

/** The post that LinkedIn names when it refuses a duplicate of it. A member's posts cannot be read. */
export async function findDuplicate(urn: string, sent: NewPost, since: Date, ctx: Ctx): Promise<Found<RemotePost>> {
  if (ctx.credentials.organizationId === null) return found([matchByUrn(urn)], since, true, ctx);
  const path = `/rest/posts/${encodeURIComponent(urn)}?viewContext=AUTHOR`;
  try {
    const post = await call(Post, { path, accessToken: ctx.credentials.accessToken }, ctx);
    return found(isSame(sent, post) ? [match(post)] : [], since, true, ctx);
  } catch (cause) {
    const message = 'LinkedIn has a post with this text, but Crier could not determine whether it is this post.';
    throw new PlatformError('unavailable', message, { reason: urn, mayHaveHappened: true, cause });
  }
}

/** The number in a URN starts with 41 bits that hold its creation time in milliseconds. */
function matchByUrn(urn: string): Match<RemotePost> {
  const [number = '0'] = /\d+$/.exec(urn) ?? [];
  return { result: remotePost(urn), createdAt: Number(BigInt(number) >> 22n), isSure: true };
}

/** Last modified first. */
async function postsBy(author: string, start: number, ctx: Ctx): Promise<Post[] | null> {
  const path = `/rest/posts?q=author&author=${encodeURIComponent(author)}&start=${start}&count=${pageSize}&sortBy=LAST_MODIFIED`;
  const { accessToken } = ctx.credentials;
  const Page = z.object({ elements: z.array(Post) });
  return (await ifPermitted(call(Page, { path, accessToken, finder: true }, ctx)))?.elements ?? null;
}

/** Files are uploaded for only one post, so equal files prove that it is the same post. */
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
