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

/** Files that no record names are thrown away after a while, so an upload may be repeated. */
export async function uploadBlob(file: Blob, type: string, ctx: Ctx): Promise<BlobRef> {
  const at = atPds(ctx.credentials);
  const { blob } = await procedure(
    UploadedBlob,
    at,
    'com.atproto.repo.uploadBlob',
    { file: { blob: file, type } },
    ctx,
  );
  return blob;
}

/** Without it, apps show a square. */
export const aspectRatioOf = ({ width, height }: Media) => ({ width, height });
