import { z } from 'zod';
import { hasCode } from '../graph/failure.ts';
import {
  fingerprint,
  PlatformError,
  type PostContent,
  type PublishContext,
  type RemotePost,
  resolveDuplicate,
} from '../kit/index.ts';
import { type Credentials, callAsPage } from './api.ts';
import { codes, name } from './failure.ts';
import { type FeedPost, findPost, hasText, remotePost } from './find.ts';
import { firstLinkIn } from './text.ts';
import { uploadPhotos } from './upload.ts';
import { publishVideo } from './video.ts';

type Ctx = PublishContext<Credentials>;

export async function publish({ text, media }: PostContent, ctx: Ctx): Promise<RemotePost> {
  const [first, ...others] = media;
  if (!first) return createPost({ text, link: firstLinkIn(text), photoIds: [] }, ctx);
  if (first.kind === 'video' && others.length === 0) return publishVideo(first, text, ctx);
  if (media.some(({ kind }) => kind !== 'image')) {
    throw new PlatformError(
      'rejected',
      'A Facebook post can have photos or one video, not both. Remove the other media.',
    );
  }
  // A single photo is posted the same way as several, so that one short call makes the post visible and can be
  // reconciled.
  return createPost({ text, link: null, photoIds: await uploadPhotos(media, ctx) }, ctx);
}

/**
 * A post with text and photos. Facebook accepts no idempotency key, so after an unknown outcome the adapter looks for
 * the post first. The list may lag behind: if Facebook then refuses the post as a duplicate, the adapter looks again.
 */
export function createPost(post: FeedPost, ctx: Ctx): Promise<RemotePost> {
  const lookup = {
    find: (since: Date) => findPost(post, since, ctx),
    hasText: (since: Date) => hasText(post.text, since, ctx),
  };
  return ctx.step(
    'post',
    async (run) => {
      try {
        return await createWithPreview(post, ctx);
      } catch (error) {
        if (!hasCode(error, ...codes.duplicate)) throw error;
        return await resolveDuplicate(error, lookup, run, name);
      }
    },
    { find: lookup.find, fingerprint: fingerprint(post.text) },
  );
}

/** The preview is optional: if Facebook refuses the link, such as one to itself, the text is posted without it. */
async function createWithPreview(post: FeedPost, ctx: Ctx): Promise<RemotePost> {
  try {
    return await create(post, ctx);
  } catch (error) {
    if (post.link && hasCode(error, ...codes.linkRejected)) return create({ ...post, link: null }, ctx);
    throw error;
  }
}

const CreatedPost = z.object({ id: z.string().regex(/^\d+_\d+$/), permalink_url: z.string().optional() });

async function create({ text, link, photoIds }: FeedPost, ctx: Ctx): Promise<RemotePost> {
  const body = {
    ...(text && { message: text }),
    ...(link && { link }),
    ...(photoIds.length > 0 && { attached_media: photoIds.map((id) => ({ media_fbid: id })) }),
  };
  const path = `/${ctx.credentials.pageId}/feed`;
  const query = { fields: 'id,permalink_url' };
  const { id, permalink_url } = await callAsPage(CreatedPost, { path, query, body }, ctx);
  return remotePost(id, permalink_url);
}
