import type { Media, PublishContext } from '../kit/index.ts';
import { atPds, type BlobRef, type Credentials, procedure, UploadedBlob } from './api.ts';

type Ctx = PublishContext<Credentials>;

export async function imagesEmbed(media: readonly Media[], ctx: Ctx) {
  const images = [];
  for (const [index, image] of media.entries()) {
    const blob = await ctx.step(`image ${index + 1}`, async () => uploadBlob(await image.blob(), image.type, ctx), {
      replayable: true,
    });
    images.push({ image: blob, alt: image.altText, aspectRatio: aspectRatioOf(image) });
  }
  return { $type: 'app.bsky.embed.images', images };
}

/** Bluesky eventually deletes files that no record uses, so repeating an upload is harmless. */
export async function uploadBlob(file: Blob, type: string, ctx: Ctx): Promise<BlobRef> {
  const input = { file: { blob: file, type } };
  return (await procedure(UploadedBlob, atPds(ctx.credentials), 'com.atproto.repo.uploadBlob', input, ctx)).blob;
}

/** Without it, apps show the image as a square. */
export const aspectRatioOf = ({ width, height }: Media) => ({ width, height });
