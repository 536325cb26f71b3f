import type { output } from 'zod';
import { type Media, PlatformError, type PostContent, type PublishContext, type RemotePost } from '../kit/index.ts';
import { authorOf, type Credentials, send } from './api.ts';
import { type Draft, type Item, newDraft, remotePost } from './draft.ts';
import { find, isOurs } from './find.ts';
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
 * After an unknown outcome we look for the post of a company page; a member's posts are closed to everybody, so there the
 * outcome stays unknown. Should LinkedIn have a post after all that the search could not see yet, it refuses ours as a
 * duplicate and names that one.
 */
function create(parts: Partial<Draft>, { text }: Post, ctx: Ctx): Promise<RemotePost> {
  const draft = newDraft(authorOf(ctx), littleText(text), parts);
  if (ctx.credentials.organizationId === null) return ctx.step('post', () => createOnce(draft, null, ctx));
  let repeatSince: Date | null = null;
  return ctx.step('post', () => createOnce(draft, repeatSince, ctx), {
    find(since) {
      repeatSince = since;
      return find(draft, since, ctx);
    },
  });
}

async function createOnce(draft: Draft, repeatSince: Date | null, ctx: Ctx): Promise<RemotePost> {
  const { accessToken } = ctx.credentials;
  try {
    const response = await send({ method: 'POST', path: '/rest/posts', accessToken, body: { ...draft } }, ctx);
    const urn = response.headers.get('x-restli-id');
    if (urn) return remotePost(urn);
    throw new PlatformError('unavailable', 'LinkedIn did not say which post it made.', { status: response.status });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const urn = duplicateIn(error);
    // Without an attempt before this one, the duplicate is another post of the same words.
    if (urn && repeatSince && (await isOurs(urn, draft, repeatSince, ctx))) return remotePost(urn);
    throw draft.reshareContext && !urn ? repostFailure(error) : error;
  }
}

const duplicateIn = ({ reason }: PlatformError) =>
  /duplicate of (urn:li:(?:share|ugcPost|activity):\d+)/i.exec(reason ?? '')?.[1] ?? null;

/** What LinkedIn answers when the original is gone is not documented: any refusal that is not about our own text. */
function repostFailure(error: PlatformError): PlatformError {
  const { kind, status, reason } = error;
  if (kind !== 'rejected' || reason?.startsWith('FIELD_LENGTH_TOO_LONG')) return error;
  const message =
    'LinkedIn rejected the repost — the original post may have been deleted, made private, or is not reshareable.';
  return new PlatformError('rejected', message, { status: status ?? undefined, reason: reason ?? undefined });
}

async function contentOf({ media, text }: Post, ctx: Ctx): Promise<Pick<Draft, 'content'>> {
  const [first] = media;
  if (!first) return {};
  if (media.length > 1 && media.some(({ kind }) => kind !== 'image')) {
    throw new PlatformError('rejected', 'A LinkedIn post shows images, or one video, or one document.');
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

/** A document must have one. */
function titleFor(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const title = [...line.trim()].slice(0, maxTitleLength).join('');
  return title || 'Document';
}
