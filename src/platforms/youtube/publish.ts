import { z } from 'zod';
import { type Media, PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';
import { bestEffort } from './best-effort.ts';
import { draftOf, type Post, remotePost } from './draft.ts';
import { addToPlaylist } from './playlist.ts';
import { secondsToNextLook, whenProcessed } from './processing.ts';
import { uploadVideo } from './upload.ts';

type Ctx = PublishContext<Credentials>;

export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  const video = await uploadVideo(onlyVideo(post.media), draftOf(post), ctx);
  const result = await ctx.until(() => whenProcessed(video, ctx), secondsToNextLook(video, ctx));
  if (result === 'processed') await complete(video.videoId, post, ctx);
  return remotePost(video.videoId);
}

function onlyVideo([media, ...others]: readonly Media[]): Media {
  if (media?.kind === 'video' && others.length === 0) return media;
  throw new PlatformError('rejected', 'A YouTube post is one video.');
}

async function complete(videoId: string, { settings, thumbnail }: Post, ctx: Ctx): Promise<void> {
  const { id: playlistId } = settings.playlist;
  if (playlistId) await bestEffort('playlist', () => addToPlaylist(playlistId, videoId, ctx), ctx);
  if (thumbnail) await bestEffort('thumbnail', () => setThumbnail(thumbnail, videoId, ctx), ctx);
}

/** YouTube takes it from channels that are verified. */
async function setThumbnail(image: Media, videoId: string, ctx: Ctx): Promise<void> {
  const request = {
    method: 'POST' as const,
    upload: true,
    path: '/thumbnails/set',
    query: { videoId, uploadType: 'media' },
    accessToken: ctx.credentials.accessToken,
    headers: { 'content-type': image.type },
    body: await image.blob(),
  };
  await call(z.unknown(), request, ctx);
}
