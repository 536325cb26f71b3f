import type { output } from 'zod';
import { type Media, PlatformError, type PostContent, type PublishContext, type RemotePost } from '../kit/index.ts';
import { authorOf, type Credentials, send } from './api.ts';
import { findPost, isOurs } from './find.ts';
import { type Item, type NewPost, newPost, remotePost } from './new-post.ts';
import type { settings } from './settings.ts';
import { littleText } from './text.ts';
import { uploadAll } from './upload.ts';

type Ctx = PublishContext<Credentials>;
type Post = PostContent<output<typeof settings>>;

export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  return post.settings.repostEnabled ? repost(post, ctx) : create(await contentOf(post, ctx), post, ctx);
}

function repost(post: Post, ctx: Ctx): Promise<RemotePost> {
  const { repostParentUrn, repostVisibility } = post.settings;
  const isCompanyPage = ctx.credentials.organizationId !== null;
  const visibility = isCompanyPage ? 'PUBLIC' : repostVisibility || 'PUBLIC';
  return create({ visibility, reshareContext: { parent: repostParentUrn } }, post, ctx);
}

/**
 * After an unknown outcome the post of a company page is looked up. A member's posts cannot be read, so there the outcome
 * stays unknown. If LinkedIn has a post that the lookup could not see yet, it refuses the new one as a duplicate and names
 * the other.
 */
function create(parts: Partial<NewPost>, { text }: Post, ctx: Ctx): Promise<RemotePost> {
  const body = newPost(authorOf(ctx), littleText(text), parts);
  if (ctx.credentials.organizationId === null) return ctx.step('post', () => createOnce(body, null, ctx));
  let repeatSince: Date | null = null;
  return ctx.step('post', () => createOnce(body, repeatSince, ctx), {
    find(since) {
      repeatSince = since;
      return findPost(body, since, ctx);
    },
  });
}

async function createOnce(post: NewPost, repeatSince: Date | null, ctx: Ctx): Promise<RemotePost> {
  const { accessToken } = ctx.credentials;
  try {
    const response = await send({ path: '/rest/posts', accessToken, body: { ...post } }, ctx);
    const urn = response.headers.get('x-restli-id');
    if (urn) return remotePost(urn);
    const message = 'LinkedIn accepted the post without an id.';
    throw new PlatformError('unavailable', message, { status: response.status });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const urn = duplicateIn(error);
    // Without an earlier attempt, the duplicate is another post with the same text.
    if (urn && repeatSince && (await isOurs(urn, post, repeatSince, ctx))) return remotePost(urn);
    throw post.reshareContext && !urn ? repostFailure(error) : error;
  }
}

const duplicateIn = ({ reason }: PlatformError) =>
  /duplicate of (urn:li:(?:share|ugcPost|activity):\d+)/i.exec(reason ?? '')?.[1] ?? null;

/** LinkedIn does not document its answer for a deleted original, so any refusal counts that is not about the text. */
function repostFailure(error: PlatformError): PlatformError {
  const { kind, reason } = error;
  if (kind !== 'rejected' || reason?.startsWith('FIELD_LENGTH_TOO_LONG')) return error;
  const message =
    'LinkedIn rejected the repost — the original post may have been deleted, made private, or is not reshareable.';
  return error.with({ message });
}

async function contentOf({ media, text }: Post, ctx: Ctx): Promise<Pick<NewPost, 'content'>> {
  const [first] = media;
  if (!first) return {};
  if (media.length > 1 && media.some(({ kind }) => kind !== 'image')) {
    throw new PlatformError(
      'rejected',
      'A LinkedIn post has either images, one video or one document. Change the media.',
    );
  }
  const items = (await uploadAll(media, ctx)).map((id, index) => item(id, media[index]));
  const [only, ...others] = items;
  if (!only || others.length > 0) return { content: { multiImage: { images: items } } };
  return { content: { media: { ...only, ...(first.kind === 'document' && { title: titleFor(text) }) } } };
}

const item = (id: string, media?: Media): Item => ({
  id,
  ...(media?.kind === 'image' && media.altText && { altText: media.altText }),
});

const maxTitleLength = 100;

/** LinkedIn requires a title for a document. */
function titleFor(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const title = [...line.trim()].slice(0, maxTitleLength).join('');
  return title || 'Document';
}
