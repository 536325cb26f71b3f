import { PlatformError, type PostContent, type PublishContext, type RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createPost } from './feed.ts';
import { firstLinkIn } from './link.ts';
import { uploadPhotos } from './photos.ts';
import { publishVideo } from './video.ts';

export async function publish({ text, media }: PostContent, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const [first, ...others] = media;
  if (!first) return createPost({ text, link: firstLinkIn(text), photoIds: [] }, ctx);
  if (first.kind === 'video' && others.length === 0) return publishVideo(first, text, ctx);
  if (media.some(({ kind }) => kind !== 'image')) {
    throw new PlatformError('rejected', 'A Facebook post shows photos, or one video.');
  }
  // One photo goes the same way as several: what is shown then hangs on one short call that can be asked about.
  return createPost({ text, link: null, photoIds: await uploadPhotos(media, ctx) }, ctx);
}
