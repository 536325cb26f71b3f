import { type Media, PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { remotePost } from './find.ts';
import { metadataOf, type Post } from './metadata.ts';
import { optionalStep } from './optional-step.ts';
import { addToPlaylist } from './playlist.ts';
import { processingWait, whenProcessed } from './processing.ts';
import { setThumbnail } from './thumbnail.ts';
import { uploadVideo } from './upload.ts';

type Ctx = PublishContext<Credentials>;

export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  const video = await uploadVideo(onlyVideo(post.media), metadataOf(post), ctx);
  const result = await ctx.until(() => whenProcessed(video, ctx), processingWait(video, ctx));
  if (result === 'processed') await addExtras(video.id, post, ctx);
  return remotePost(video.id);
}

function onlyVideo([media, ...others]: readonly Media[]): Media {
  if (media?.kind === 'video' && others.length === 0) return media;
  throw new PlatformError('rejected', 'A YouTube post must have exactly one video. Change the media.');
}

async function addExtras(videoId: string, { settings, thumbnail }: Post, ctx: Ctx): Promise<void> {
  const { id: playlistId } = settings.playlist;
  if (playlistId) await optionalStep('playlist', () => addToPlaylist(playlistId, videoId, ctx), ctx);
  if (thumbnail) await optionalStep('thumbnail', () => setThumbnail(thumbnail, videoId, ctx), ctx);
}
