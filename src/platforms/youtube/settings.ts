import { z } from 'zod';
import {
  type AttachedImage,
  choice,
  flag,
  type Issue,
  type SettingRules,
  type SettingTarget,
  text,
} from '../kit/index.ts';
import { tagsOf } from './tags.ts';

const titleMax = 100;
/** Twice as many as fit into YouTube's 500 characters, to allow for empty ones. */
const maxTags = 1000;

const playlist = z.strictObject(
  {
    id: text('must be a string.').trim().default('').meta({ description: 'The id of the playlist on YouTube.' }),
    platformId: text('must be a string.')
      .trim()
      .default('')
      .meta({ description: 'The channel that owns it, as in platforms: youtube-<id>.' }),
  },
  { error: 'must be an object.' },
);

/** An empty URL removes the thumbnail. */
const thumbnail = z
  .strictObject(
    {
      mediaId: text().trim().optional(),
      id: text().trim().optional().meta({ description: 'Alias of mediaId.' }),
      url: text().trim().optional().meta({ description: 'An empty string removes the thumbnail.' }),
      path: text().trim().optional().meta({ description: 'Alias of url.' }),
    },
    { error: 'must be an object.' },
  )
  .transform(({ id = '', mediaId = id, path, url = path }) => (url === '' ? undefined : { mediaId, url: url ?? '' }));

export const settings = z.strictObject({
  privacy: choice('private', 'public', 'unlisted')
    .default('public')
    .meta({ title: 'Visibility', description: 'Who can find and watch the video.' }),
  title: text()
    .default('')
    .meta({
      title: 'Title',
      description: `At most ${titleMax} characters. Empty: the first 70 characters of the text.`,
    }),
  madeForKids: flag()
    .default(false)
    .meta({ title: 'Made for kids', description: 'Whether the video is directed at children.' }),
  tags: z
    .union([z.array(text()).max(maxTags), text()], {
      error: ({ input }) =>
        Array.isArray(input) && input.length > maxTags
          ? `must have at most ${maxTags} entries`
          : 'must be an array of strings or a comma-separated string',
    })
    .transform((given) => {
      const tags = tagsOf(given);
      return tags.length > 0 ? tags : undefined;
    })
    .optional()
    .meta({
      title: 'Tags',
      description: 'Separate tags with commas, or send an array. Tags beyond 500 characters in total are dropped.',
    }),
  categoryId: text()
    .trim()
    .transform((id) => id || undefined)
    .optional()
    .meta({
      title: 'Category',
      description:
        'The YouTube category id, such as 22 (people and blogs), 28 (science and technology), 24 (entertainment), 27 (education) or 10 (music).',
    }),
  playlist: playlist.default({ id: '', platformId: '' }).meta({
    title: 'Playlist',
    description:
      'The video is added to this playlist. Only for posts to exactly one channel. Two empty strings remove it.',
  }),
  thumbnail: thumbnail.optional().meta({
    title: 'Thumbnail',
    description: 'mediaId and url as returned by POST /upload-youtube-thumbnail. Only with update-post.',
  }),
});
type Settings = z.output<typeof settings>;

export const settingRules = {
  retired: { playlistId: 'playlist', thumbnailUrl: 'thumbnail' },
  updateOnly: ['thumbnail'],
  lockedWhilePublishing: { playlist: 'playlist', thumbnail: 'thumbnail' },
  conflict,
  conflictWith,
  issues,
} as const satisfies SettingRules<Settings>;

export const attachedImage = {
  setting: 'thumbnail',
  reference: 'media',
  purpose: 'youtube_thumbnail',
  field: 'thumbnail',
  uploadPath: '/upload-youtube-thumbnail',
  asJpeg: false,
} as const satisfies AttachedImage<keyof Settings>;

function conflict({ playlist, thumbnail }: Settings): string | null {
  if ((playlist.id === '') !== (playlist.platformId === '')) {
    return 'YouTube playlist requires both playlist.id and playlist.platformId.';
  }
  if (thumbnail && (thumbnail.mediaId === '' || thumbnail.url === '')) {
    return 'YouTube thumbnail requires both thumbnail.mediaId and thumbnail.url.';
  }
  return null;
}

function conflictWith({ playlist }: Settings, targets: readonly SettingTarget[]): string | null {
  if (playlist.id === '') return null;
  const [channel, ...others] = targets;
  if (!channel || others.length > 0) {
    return 'YouTube playlist can only be set when exactly one YouTube channel is selected.';
  }
  if (playlist.platformId === `${channel.platform}-${channel.accountId}`) return null;
  return 'YouTube playlist platformId must match the selected YouTube channel.';
}

function issues({ title }: Settings): Issue[] {
  if (title.length <= titleMax) return [];
  const message = `Title exceeds YouTube's ${titleMax} character limit (currently ${title.length})`;
  return [{ code: 'PLATFORM_SETTING_INVALID', message, field: 'settings' }];
}
