import { descriptions } from '../../platforms/descriptions.ts';
import type { Description, ImageLimit, Limits, MediaLimit, VideoLimit } from '../../platforms/kit/index.ts';
import type { TextLimit } from '../../platforms/kit/limits.ts';
import type { PlatformLimit, PlatformLimits, TextCounting } from './platform-limits-schema.ts';

/** The limits of every platform, under the contract's names. */
export const platformLimits: PlatformLimits = Object.freeze({
  success: true,
  schemaVersion: 1,
  source: '@service/platform-limits',
  packageVersion: '1.0.0',
  limitsLastUpdated: '2026-03-11',
  supportedPlatforms: descriptions.map(({ id }) => id),
  platforms: Object.fromEntries(descriptions.map((description) => [description.id, present(description)])),
});

function present({ id, name, limits }: Description): PlatformLimit {
  const { text, images, video, documents, thumbnails, altText, firstComment } = limits;
  return {
    platform: id,
    displayName: name,
    characters: { standard: text.max, premium: text.premium },
    counting: countingOf(text),
    images: imagesOf(images),
    videos: videosOf(video),
    requirements: requirementsOf(limits),
    documents: documents && { ...mediaOf(documents), maxPages: documents.maxPages },
    gifs: null,
    thumbnails: thumbnails && thumbnailsOf(thumbnails),
    altText: altText && { maxCharacters: altText.max, kinds: [...altText.kinds] },
    firstComments: firstComment && { maxCharacters: firstComment.max },
  };
}

export function countingOf({ unit, urlLength, shownUrlLength }: TextLimit): TextCounting {
  return {
    unit,
    ...(urlLength !== undefined && { linkLength: urlLength }),
    ...(shownUrlLength !== undefined && { networkLinkLength: shownUrlLength }),
  };
}

function mediaOf({ max, maxBytes, types }: MediaLimit) {
  return { supported: true, maxSizeBytes: maxBytes, maxCount: max, formats: [...types] };
}

function notSupported() {
  return { supported: false, maxSizeBytes: 0, maxCount: 0, formats: [] };
}

function imagesOf(images: ImageLimit | null): PlatformLimit['images'] {
  if (!images) return notSupported();
  return { ...mediaOf(images), ...(images.aspect && { aspectRatioRange: images.aspect }) };
}

function videosOf(video: VideoLimit | null): PlatformLimit['videos'] {
  if (!video) return { ...notSupported(), maxDurationSeconds: 0, minDurationSeconds: null, aspectRatioRange: null };
  return {
    ...mediaOf(video),
    ...durationsOf(video),
    aspectRatioRange: video.aspect,
    ...(video.variants && { variants: variantsOf(video) }),
  };
}

function variantsOf({ variants = {}, ...video }: VideoLimit) {
  return Object.fromEntries(
    Object.entries(variants).map(([kind, variant]) => {
      const limit = { ...video, ...variant };
      return [kind, { ...durationsOf(limit), maxSizeBytes: limit.maxBytes }];
    }),
  );
}

function durationsOf({ maxSeconds, minSeconds }: Pick<VideoLimit, 'maxSeconds' | 'minSeconds'>) {
  return { maxDurationSeconds: maxSeconds, minDurationSeconds: minSeconds };
}

function requirementsOf({ mediaRequired, videoRequired, threads }: Limits): PlatformLimit['requirements'] {
  return {
    requiresMedia: mediaRequired,
    requiresVideo: videoRequired,
    supportsTextOnly: !mediaRequired,
    supportsThreading: threads !== null,
  };
}

function thumbnailsOf({ types, maxBytes, ...sizes }: NonNullable<Limits['thumbnails']>): PlatformLimit['thumbnails'] {
  return { supported: true, maxSizeBytes: maxBytes, ...sizes, formats: [...types] };
}
