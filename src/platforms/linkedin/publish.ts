import type { output } from 'zod';
import {
  fingerprint,
  type Media,
  PlatformError,
  type PostContent,
  type PublishContext,
  type RemotePost,
  type StepOptions,
  type StepRun,
} from '../kit/index.ts';
import { authorOf, type Credentials, send } from './api.ts';
import { findDuplicate, findPost } from './find.ts';
import { type Item, type NewPost, newPost, remotePost } from './new-post.ts';
import type { settings } from './settings.ts';
import { littleText, plainText } from './text.ts';
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

function create(parts: Partial<NewPost>, { text }: Post, ctx: Ctx): Promise<RemotePost> {
  const post = newPost(authorOf(ctx), littleText(text), parts);
  return ctx.step('post', (run) => createOnce(post, run, ctx), reconciliationOf(post, ctx));
}

/** LinkedIn remembers a text for longer than this, but does not document how long. */
const duplicateMemoryMs = 10 * 60_000;

/**
 * After an unknown outcome, a company page's post is looked up. A member's posts cannot be read, but LinkedIn refuses a
 * repeated text and names the post that has it. It compares only texts, so any other post of a member stays in doubt.
 */
function reconciliationOf(post: NewPost, ctx: Ctx): StepOptions<RemotePost> {
  // Files are not included, because a refusal names any post with the text.
  const likeness = { fingerprint: fingerprint(plainText(post.commentary)) };
  if (ctx.credentials.organizationId !== null) return { ...likeness, find: (since) => findPost(post, since, ctx) };
  const isTextOnly = post.commentary !== '' && !post.content && !post.reshareContext;
  if (!isTextOnly) return likeness;
  return {
    ...likeness,
    refusesRepeat: (since) => ctx.now().getTime() - since.getTime() < duplicateMemoryMs,
    isRepeatRefusal: (refusal) => duplicateIn(refusal) !== null,
  };
}

async function createOnce(post: NewPost, { repeatSince, adopt }: StepRun<RemotePost>, ctx: Ctx): Promise<RemotePost> {
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
    const ours = urn && repeatSince ? await adopt(await findDuplicate(urn, post, repeatSince, ctx)) : null;
    if (ours) return ours;
    throw post.reshareContext && !urn ? repostFailure(error) : error;
  }
}

const duplicateIn = ({ reason }: PlatformError) =>
  /duplicate of (urn:li:(?:share|ugcPost|activity):\d+)/i.exec(reason ?? '')?.[1] ?? null;

/** LinkedIn does not document its response for a deleted original, so any refusal that is not about the text counts. */
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
