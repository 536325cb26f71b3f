import type { Media, PublishContext } from '../kit/index.ts';
import { Begun, BegunUpload, type Credentials, call } from './api.ts';
import { chunksOf } from './chunks.ts';
import { type Post, postInfo, readCreator, videoInfo } from './creator.ts';
import type { Publication } from './publication.ts';

type Ctx = PublishContext<Credentials>;

/** Nothing comes of a video whose bytes never arrive, so announcing it again does no harm. */
export function announceVideo(post: Post, video: Media, attempt: number, ctx: Ctx): Promise<Publication> {
  return ctx.step(
    `video post ${attempt}`,
    async () => {
      const info = videoInfo(post, await readCreator(ctx));
      const { size: bytes } = await video.blob();
      const { size, count } = chunksOf(bytes);
      const body = {
        post_info: { title: post.text, ...info },
        source_info: { source: 'FILE_UPLOAD', video_size: bytes, chunk_size: size, total_chunk_count: count },
      };
      const { accessToken } = ctx.credentials;
      const begun = await call(BegunUpload, { path: '/post/publish/video/init/', accessToken, body }, ctx);
      return { publishId: begun.publish_id, begunAt: ctx.now().getTime(), upload: { url: begun.upload_url, bytes } };
    },
    { replayable: true },
  );
}

/** TikTok fetches pictures by itself: this call is all that it needs to post them, and nothing tells whether it did. */
export function announcePhotos(post: Post, attempt: number, ctx: Ctx): Promise<Publication> {
  return ctx.step(`photo post ${attempt}`, async () => {
    const info = postInfo(post, await readCreator(ctx));
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
    const { publish_id } = await call(Begun, { path: '/post/publish/content/init/', accessToken, body }, ctx);
    return { publishId: publish_id, begunAt: ctx.now().getTime(), upload: null };
  });
}
