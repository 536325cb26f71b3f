import { z } from 'zod';
import { PlatformError, type PostContent, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, callAsPage } from './api.ts';
import { hasCode } from './failure.ts';
import { type Draft, findPost, remotePost } from './find.ts';
import { firstLinkIn } from './text.ts';
import { uploadPhotos } from './upload.ts';
import { publishVideo } from './video.ts';

type Ctx = PublishContext<Credentials>;

export async function publish({ text, media }: PostContent, ctx: Ctx): Promise<RemotePost> {
  const [first, ...others] = media;
  if (!first) return createPost({ text, link: firstLinkIn(text), photoIds: [] }, ctx);
  if (first.kind === 'video' && others.length === 0) return publishVideo(first, text, ctx);
  if (media.some(({ kind }) => kind !== 'image')) {
    throw new PlatformError('rejected', 'A Facebook post shows photos, or one video.');
  }
  // One photo goes the same way as several: what is shown then hangs on one short call that can be asked about.
  return createPost({ text, link: null, photoIds: await uploadPhotos(media, ctx) }, ctx);
}

const sameText = 506;
const samePhotos = 1366051;
const badLink = [1500, 1609005, 1609008, 2061006];

/**
 * A post of words and photos. Facebook knows no key against repeats: after an unknown outcome we look for the post first.
 * What looking cannot see yet Facebook itself refuses as a repeat: then the post is there, and we look once more.
 */
export function createPost(draft: Draft, ctx: Ctx): Promise<RemotePost> {
  let begunBefore: Date | null = null;
  return ctx.step(
    'post',
    async () => {
      try {
        return await createWithPreview(draft, ctx);
      } catch (error) {
        if (!begunBefore || !hasCode(error, sameText, samePhotos)) throw error;
        return (await findPost(draft, begunBefore, ctx)) ?? inDoubt(error);
      }
    },
    {
      find(since) {
        begunBefore = since;
        return findPost(draft, since, ctx);
      },
    },
  );
}

/** So that a later run looks again: what Facebook lists may lag behind. */
function inDoubt(refusal: PlatformError): never {
  throw new PlatformError('unavailable', 'Facebook says that it has this post already, but does not show it.', {
    status: refusal.status ?? undefined,
    reason: refusal.reason ?? undefined,
    cause: refusal,
  });
}

/** Nobody asked for the preview: where Facebook refuses the link, as it does its own, the text goes without one. */
async function createWithPreview(draft: Draft, ctx: Ctx): Promise<RemotePost> {
  try {
    return await create(draft, ctx);
  } catch (error) {
    if (draft.link && hasCode(error, ...badLink)) return create({ ...draft, link: null }, ctx);
    throw error;
  }
}

const Created = z.object({ id: z.string().regex(/^\d+_\d+$/), permalink_url: z.string().optional() });

async function create({ text, link, photoIds }: Draft, ctx: Ctx): Promise<RemotePost> {
  const body = {
    ...(text && { message: text }),
    ...(link && { link }),
    ...(photoIds.length > 0 && { attached_media: photoIds.map((id) => ({ media_fbid: id })) }),
  };
  const path = `/${ctx.credentials.pageId}/feed`;
  const query = { fields: 'id,permalink_url' };
  const { id, permalink_url } = await callAsPage(Created, { method: 'POST', path, query, body }, ctx);
  return remotePost(id, permalink_url);
}
