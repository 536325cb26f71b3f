import type { CallOptions } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import type { Draft } from '../draft.ts';

/** A network that supports a custom cover image for videos. */
export interface Cover {
  readonly platform: string;
  /** The option that stores it. */
  readonly setting: string;
  readonly help: string;
  readonly types: string;
  /** Uploads an image. Returns the option's value for it. */
  upload(picture: File, postGroupId: string, options?: Pick<CallOptions, 'userId'>): Promise<unknown>;
  /** The option's value for no cover. */
  readonly none: unknown;
  urlIn(value: unknown): string | null;
}

const covers: readonly Cover[] = [
  {
    platform: 'instagram',
    setting: 'coverUrl',
    help: 'JPEG, PNG or WebP, up to 8 MB. Without a cover, Instagram shows the first frame.',
    types: 'image/jpeg,image/png,image/webp',
    upload: async (cover, postGroupId, options) =>
      (await crier.uploadInstagramCover({ cover, postGroupId }, options)).cover.url,
    none: '',
    urlIn: (value) => (typeof value === 'string' && value !== '' ? value : null),
  },
  {
    platform: 'youtube',
    setting: 'thumbnail',
    help: 'JPEG or PNG, up to 2 MB, at least 640 × 360 pixels. YouTube only accepts thumbnails from verified channels.',
    types: 'image/jpeg,image/png',
    upload: async (thumbnail, postGroupId, options) => {
      const { mediaId, url } = (await crier.uploadYoutubeThumbnail({ thumbnail, postGroupId }, options)).thumbnail;
      return { mediaId, url };
    },
    none: { mediaId: '', url: '' },
    urlIn: (value) => (value as { url?: string } | undefined)?.url || null,
  },
];

/** The selected networks that support a cover for this post. */
export const coversOf = (platforms: readonly string[], { settings }: Pick<Draft, 'settings'>): readonly Cover[] =>
  covers.filter(
    ({ platform }) =>
      platforms.includes(platform) && !(platform === 'instagram' && settings.instagram?.videoType === 'STORIES'),
  );

/** The chosen cover for a network. */
export function coverIn(platform: string, settings: Readonly<Record<string, unknown>>): string | null {
  const cover = covers.find((one) => one.platform === platform);
  return cover?.urlIn(settings[cover.setting]) ?? null;
}
