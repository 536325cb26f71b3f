import type { Json } from '../foundation/lib/json.ts';
import { descriptions } from './descriptions.ts';
import type { AttachedImage, ThumbnailLimit } from './kit/index.ts';

export interface PlatformImage extends AttachedImage {
  readonly platform: string;
  readonly limit: ThumbnailLimit;
}

/** Every image that can be uploaded separately for a post. */
export const attachedImages: readonly PlatformImage[] = descriptions.flatMap(({ id, limits, attachedImage }) =>
  attachedImage && limits.thumbnails ? [{ ...attachedImage, platform: id, limit: limits.thumbnails }] : [],
);

export interface ImageReference {
  readonly mediaId?: string;
  readonly url?: string;
}

/** The uploaded image that a post's settings refer to. */
export function imageIn(settings: Readonly<Record<string, unknown>>, image: PlatformImage): ImageReference | null {
  const value = fieldsOf(settings, image)[image.setting];
  if (!value) return null;
  return image.reference === 'media' ? (value as ImageReference) : { url: String(value) };
}

/** The record of the uploaded image that a post's settings for one platform refer to. */
export function attachedMediaId(platform: string, own: Readonly<Record<string, unknown>>): string | undefined {
  const image = attachedImages.find((known) => known.platform === platform);
  return image && imageIn({ [platform]: own }, image)?.mediaId;
}

/** A post's settings without their reference to the image. */
export function withoutImage(settings: Readonly<Record<string, Json>>, image: PlatformImage): Record<string, Json> {
  const { [image.setting]: _, ...others } = fieldsOf(settings, image);
  return { ...settings, [image.platform]: others };
}

const fieldsOf = (settings: Readonly<Record<string, unknown>>, { platform }: PlatformImage) =>
  (settings[platform] ?? {}) as Record<string, Json>;
