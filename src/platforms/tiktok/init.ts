import type { Media, PublishContext } from '../kit/index.ts';
import { api, type Credentials, call, PhotoInit, VideoInit } from './api.ts';
import { chunksOf } from './chunks.ts';
import { commonInfo, type Post, readCreatorInfo, videoInfo } from './post-info.ts';
import type { PublishJob } from './publish-status.ts';

type Ctx = PublishContext<Credentials>;

/** TikTok publishes nothing until it has the last byte of the video, so initiating it again is harmless. */
export function initVideo(post: Post, video: Media, attempt: number, ctx: Ctx): Promise<PublishJob> {
  return ctx.step(
    `video post ${attempt}`,
    async () => {
      const info = videoInfo(post, await readCreatorInfo(ctx));
      const { size: bytes } = await video.blob();
      const { size, count } = chunksOf(bytes);
      const body = {
        post_info: { title: post.text, ...info },
        source_info: { source: 'FILE_UPLOAD', video_size: bytes, chunk_size: size, total_chunk_count: count },
      };
      const { accessToken } = ctx.credentials;
      const init = await call(VideoInit, { url: `${api}/post/publish/video/init/`, accessToken, body }, ctx);
      return { publishId: init.publish_id, startedAt: ctx.now().getTime(), upload: { url: init.upload_url, bytes } };
    },
    { replayable: true },
  );
}

/**
 * TikTok downloads photos itself. This call alone publishes them, and afterwards there is no way to find out whether it
 * did.
 */
export function initPhotos(post: Post, attempt: number, ctx: Ctx): Promise<PublishJob> {
  return ctx.step(`photo post ${attempt}`, async () => {
    const info = commonInfo(post, await readCreatorInfo(ctx));
    const addresses = await Promise.all(post.media.map((image) => image.url()));
    const body = {
      media_type: 'PHOTO',
      post_mode: 'DIRECT_POST',
      post_info: { description: post.text, ...info },
      source_info: {
        source: 'PULL_FROM_URL',
        photo_images: addresses.map(({ href }) => href),
        photo_cover_index: 0,
      },
    };
    const { accessToken } = ctx.credentials;
    const init = await call(PhotoInit, { url: `${api}/post/publish/content/init/`, accessToken, body }, ctx);
    return { publishId: init.publish_id, startedAt: ctx.now().getTime(), upload: null };
  });
}
