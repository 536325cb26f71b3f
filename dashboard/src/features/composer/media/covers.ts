import { crier } from '../../../lib/api.ts';
import type { Draft } from '../draft.ts';

/** A network that shows a picture of the person's choice for a video. */
export interface Cover {
  readonly platform: string;
  /** The option that holds it. */
  readonly setting: string;
  readonly help: string;
  readonly types: string;
  /** Stores a picture. Returns the value of the option for it. */
  upload(picture: File, postGroupId: string): Promise<unknown>;
  /** The value of the option for none. */
  readonly none: unknown;
  urlIn(value: unknown): string | null;
}

const covers: readonly Cover[] = [
  {
    platform: 'instagram',
    setting: 'coverUrl',
    help: 'JPEG, PNG or WebP, at most 8 MB. Without one Instagram shows the first frame.',
    types: 'image/jpeg,image/png,image/webp',
    upload: async (cover, postGroupId) => (await crier.uploadInstagramCover({ cover, postGroupId })).cover.url,
    none: '',
    urlIn: (value) => (typeof value === 'string' && value !== '' ? value : null),
  },
  {
    platform: 'youtube',
    setting: 'thumbnail',
    help: 'JPEG or PNG, at most 2 MB and at least 640 × 360 pixels. YouTube takes it from verified channels only.',
    types: 'image/jpeg,image/png',
    upload: async (thumbnail, postGroupId) => {
      const { mediaId, url } = (await crier.uploadYoutubeThumbnail({ thumbnail, postGroupId })).thumbnail;
      return { mediaId, url };
    },
    none: { mediaId: '', url: '' },
    urlIn: (value) => (value as { url?: string } | undefined)?.url || null,
  },
];

/** Those of the chosen networks that take a cover for this post. */
export const coversOf = (platforms: readonly string[], { settings }: Pick<Draft, 'settings'>): readonly Cover[] =>
  covers.filter(
    ({ platform }) =>
      platforms.includes(platform) && !(platform === 'instagram' && settings.instagram?.videoType === 'STORIES'),
  );

/** The cover that is chosen for one network. */
export function coverIn(platform: string, settings: Readonly<Record<string, unknown>>): string | null {
  const cover = covers.find((one) => one.platform === platform);
  return cover?.urlIn(settings[cover.setting]) ?? null;
}
