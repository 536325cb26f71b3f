const megabyte = 1024 * 1024;

interface MediaKind {
  readonly maxBytes: number;
  /** The types as detected from the bytes. */
  readonly types: readonly string[];
  /** The number before the `_` in a media key. */
  readonly keyPrefix: number;
  /** Whether the upload is processed afterwards. Images are ready immediately. */
  readonly isProcessed: boolean;
}

const image: MediaKind = {
  maxBytes: 5 * megabyte,
  types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  keyPrefix: 3,
  isProcessed: false,
};
const gif: MediaKind = { maxBytes: 15 * megabyte, types: ['image/gif'], keyPrefix: 16, isProcessed: true };
const video: MediaKind = {
  maxBytes: 512 * megabyte,
  types: ['video/mp4', 'video/quicktime'],
  keyPrefix: 7,
  isProcessed: true,
};

/** The keys are the vendor's `media_category` values. */
export const mediaKinds: Readonly<Record<string, MediaKind>> = {
  tweet_image: image,
  tweet_gif: gif,
  tweet_video: video,
  amplify_video: { ...video, keyPrefix: 13 },
};

export const mediaCategories = [...Object.keys(mediaKinds), 'dm_gif', 'dm_image', 'dm_video', 'subtitles'];

export const mediaTypes = [
  'video/mp4',
  'video/webm',
  'video/mp2t',
  'video/quicktime',
  'text/srt',
  'text/vtt',
  'image/jpeg',
  'image/gif',
  'image/bmp',
  'image/png',
  'image/webp',
  'image/pjpeg',
  'image/tiff',
  'model/gltf-binary',
  'model/vnd.usdz+zip',
];

export const maxGifSize = { width: 1280, height: 1080 };
