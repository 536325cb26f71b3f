import { describe, expect, test } from 'vitest';
import type { PlanKey } from '../../../config/plans.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { descriptionOf } from '../../../platforms/descriptions.ts';
import { mediaIssues, type PostMedia } from './media-rules.ts';

const mb = 1_048_576;

function file(
  type: PostMedia['type'],
  mimeType: string,
  facts: Partial<NonNullable<PostMedia['metadata']>>,
): PostMedia {
  const { width = 1000, height = 1000 } = facts;
  const dimensions = type === 'document' ? { width: null, height: null, aspectRatio: null } : { width, height };
  const metadata = {
    size: 100_000,
    aspectRatio: width! / height!,
    format: mimeType.split('/')[1]!,
    frameRate: null,
    codecName: null,
    bitRate: null,
    duration: type === 'video' ? 10 : null,
    frames: null,
    pages: type === 'document' ? 3 : null,
    ...dimensions,
    ...facts,
  } as NonNullable<PostMedia['metadata']>;
  return { type, mimeType, metadata };
}
const image = (facts: Parameters<typeof file>[2] = {}, format = 'jpeg') => file('image', `image/${format}`, facts);
/** Resizing would lose the animation. */
const animated = (facts: Parameters<typeof file>[2] = {}) => image({ ...facts, frames: 2 }, 'webp');
const video = (facts: Parameters<typeof file>[2] = {}, format = 'mp4') => file('video', `video/${format}`, facts);
const document = (facts: Parameters<typeof file>[2] = {}) => file('document', 'application/pdf', facts);
const many = (count: number, make: () => PostMedia) => Array.from({ length: count }, () => make());

interface Given {
  media?: PostMedia[];
  settings?: Record<string, Json>;
  plan?: PlanKey;
  client?: string;
}

function issues(platform: string, { media = [], settings = {}, plan = 'agency', client = 'api' }: Given = {}) {
  const description = descriptionOf(platform)!;
  const connection = { id: '1', platform, accountId: '1', handle: 'ada', traits: {} };
  const target = { connection, platformId: `${platform}-1`, description, limits: description.limits };
  return mediaIssues(target as Parameters<typeof mediaIssues>[0], { media, settings, plan, client });
}
const messages = (platform: string, given: Given) =>
  issues(platform, given).map(({ code, message, field }) => [code, message, field]);

const everyPlatform = [
  ...['twitter', 'instagram', 'threads', 'tiktok', 'linkedin', 'youtube', 'facebook', 'mastodon', 'bluesky'],
  ...['telegram', 'pinterest'],
];

describe('required media', () => {
  test.each([
    ['instagram', 'MEDIA_REQUIRED', 'Instagram posts require media', 'media'],
    ['tiktok', 'MEDIA_REQUIRED', 'TikTok posts require media', 'media'],
    ['pinterest', 'MEDIA_REQUIRED', 'Pinterest posts require media', 'media'],
    ['youtube', 'VIDEO_REQUIRED', 'YouTube requires a video', 'video'],
  ])('%s refuses a post without media: %s', (platform, ...expected) => {
    expect(messages(platform, {})).toEqual([expected]);
  });

  test.each(['twitter', 'threads', 'linkedin', 'facebook', 'mastodon', 'bluesky', 'telegram'])(
    '%s does without',
    (platform) => expect(issues(platform)).toEqual([]),
  );

  test.each([
    ['api', 'POST /get-upload-url'],
    ['mcp', 'get_upload_url'],
  ])('the suggestion for a client of kind %s names its own calls', (client, words) => {
    const [issue] = issues('instagram', { client });
    expect(issue?.suggestions).toEqual(['Upload an image or video for this platform', expect.stringContaining(words)]);
    expect(issue?.severity).toBe('error');
  });
});

describe('images', () => {
  const jpeg = image();
  test.each(everyPlatform.filter((name) => name !== 'youtube'))('%s takes one JPEG', (platform) => {
    expect(issues(platform, { media: [jpeg] })).toEqual([]);
  });

  test('are refused by YouTube, which still requires a video', () => {
    expect(messages('youtube', { media: [jpeg] })).toEqual([
      ['VIDEO_REQUIRED', 'YouTube requires a video', 'video'],
      ['IMAGES_NOT_SUPPORTED', 'YouTube does not support image posts', 'media'],
    ]);
  });

  test.each([
    ['twitter', 4, 'Twitter/X'],
    ['instagram', 10, 'Instagram'],
    ['threads', 20, 'Threads'],
    ['tiktok', 35, 'TikTok'],
    ['linkedin', 10, 'LinkedIn'],
    ['facebook', 10, 'Facebook'],
    ['mastodon', 4, 'Mastodon'],
    ['bluesky', 4, 'Bluesky'],
    ['telegram', 10, 'Telegram'],
  ])('%s accepts %d and refuses one more', (platform, max, name) => {
    expect(issues(platform, { media: many(max, image) })).toEqual([]);
    expect(issues(platform, { media: many(max + 1, image) })).toEqual([
      expect.objectContaining({
        platform,
        code: 'MEDIA_COUNT_EXCEEDED',
        message: `${name} allows at most ${max} images per post (currently ${max + 1})`,
        constraint: 'maxCount',
        currentValue: max + 1,
        maxValue: max,
      }),
    ]);
  });

  test.each([
    ['twitter', 5_242_880, "Image (5.0MB) exceeds Twitter/X's 5.0MB limit"],
    ['instagram', 8_388_608, "Image (8.0MB) exceeds Instagram's 8.0MB limit"],
    ['threads', 8_388_608, "Image (8.0MB) exceeds Threads's 8.0MB limit"],
    ['tiktok', 20_971_520, "Image (20.0MB) exceeds TikTok's 20.0MB limit"],
    ['linkedin', 52_428_800, "Image (50.0MB) exceeds LinkedIn's 50.0MB limit"],
    ['facebook', 10_485_760, "Image (10.0MB) exceeds Facebook's 10.0MB limit"],
    ['mastodon', 16_777_216, "Image (16.0MB) exceeds Mastodon's 16.0MB limit"],
    ['bluesky', 2_000_000, "Image (1.9MB) exceeds Bluesky's 1.9MB limit"],
    ['telegram', 10_485_760, "Image (10.0MB) exceeds Telegram's 10.0MB limit"],
  ])('%s accepts %d bytes and refuses one more, unless the image can be made smaller', (platform, size, message) => {
    expect(issues(platform, { media: [animated({ size })] })).toEqual([]);
    expect(messages(platform, { media: [animated({ size: size + 1 })] })).toEqual([
      ['MEDIA_SIZE_EXCEEDED', message, 'imageSize'],
    ]);
    expect(issues(platform, { media: [image({ size: size + 1 })] })).toEqual([]);
  });

  test('too large for Bluesky have the text of the contract', () => {
    const [issue] = issues('bluesky', { media: [animated({ size: 2.5 * mb })] });
    expect(issue).toMatchObject({
      message: "Image (2.5MB) exceeds Bluesky's 1.9MB limit",
      constraint: 'maxSize',
      currentValue: 2.5 * mb,
      maxValue: 2_000_000,
    });
  });

  const formats = ['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif', 'bmp', 'heif', 'heic'];
  test.each([
    ['twitter', 'jpeg png gif webp'],
    ['instagram', 'jpeg png webp'],
    ['threads', 'jpeg png webp'],
    ['tiktok', 'jpeg png webp'],
    ['linkedin', 'jpeg png gif webp'],
    ['facebook', 'jpeg png gif bmp tiff webp avif heif heic'],
    ['mastodon', 'jpeg png gif webp heif heic avif'],
    ['bluesky', 'jpeg png webp'],
    ['telegram', 'jpeg png gif webp bmp'],
    ['pinterest', 'jpeg png'],
  ])('%s accepts %s', (platform, taken) => {
    const accepted = formats.filter((format) => issues(platform, { media: [image({}, format)] }).length === 0);
    expect(accepted.sort()).toEqual(taken.split(' ').sort());
  });

  test('of an unsupported format are refused with that format', () => {
    expect(messages('instagram', { media: [image({}, 'gif')] })).toEqual([
      ['MEDIA_TYPE_NOT_SUPPORTED', 'Image format "image/gif" is not supported on Instagram', 'imageFormat'],
    ]);
  });

  test.each([
    [800, 1000, true],
    [1910, 1000, true],
    [1080, 1350, true],
    [700, 1000, false],
    [2000, 1000, false],
  ])('%d by %d: accepted by Instagram: %s', (width, height, ok) => {
    const ratio = (width / height).toFixed(2);
    const message = `Image aspect ratio (${ratio}) is outside Instagram's range of 0.80 to 1.91`;
    const expected = ok ? [] : [['MEDIA_ASPECT_RATIO_INVALID', message, 'media']];
    expect(messages('instagram', { media: [image({ width, height })] })).toEqual(expected);
    expect(issues('facebook', { media: [image({ width, height })] })).toEqual([]);
  });

  test('a story on Instagram may be 9:16', () => {
    const media = [image({ width: 1080, height: 1920 })];
    expect(issues('instagram', { media, settings: { instagram: { videoType: 'STORIES' } } })).toEqual([]);
    expect(issues('instagram', { media })).toMatchObject([{ code: 'MEDIA_ASPECT_RATIO_INVALID' }]);
  });

  test('LinkedIn limits the number of pixels', () => {
    const most = image({ width: 36_152_320 / 4096, height: 4096 });
    expect(issues('linkedin', { media: [most] })).toEqual([]);
    expect(issues('linkedin', { media: [image({ width: 8827, height: 4096 })] })).toEqual([
      expect.objectContaining({
        code: 'MEDIA_DIMENSIONS_INVALID',
        message: "Image (8827x4096, 36155392 pixels) exceeds LinkedIn's 36152320 pixel limit",
        currentValue: 36_155_392,
        maxValue: 36_152_320,
      }),
    ]);
  });

  test('every invalid image is reported', () => {
    const media = [animated({ size: 3 * mb }), image(), image({}, 'gif')];
    expect(messages('bluesky', { media }).map(([code]) => code)).toEqual([
      'MEDIA_SIZE_EXCEEDED',
      'MEDIA_TYPE_NOT_SUPPORTED',
    ]);
  });
});

describe('videos', () => {
  test.each([
    ['twitter', 0.5, 140, "exceeds Twitter/X's 2m 20s limit"],
    ['instagram', 3, 900, "exceeds Instagram's 15m 0s limit"],
    ['threads', null, 300, "exceeds Threads's 5m 0s limit"],
    ['tiktok', 3, 600, "exceeds TikTok's 10m 0s limit"],
    ['linkedin', 3, 1800, "exceeds LinkedIn's 30m 0s limit"],
    ['youtube', null, 43_200, "exceeds YouTube's 720m 0s limit"],
    ['facebook', null, 2700, "exceeds Facebook's 45m 0s limit"],
    ['mastodon', null, 86_400, "exceeds Mastodon's 1440m 0s limit"],
    ['bluesky', null, 180, "exceeds Bluesky's 3m 0s limit"],
    ['telegram', null, 86_400, "exceeds Telegram's 1440m 0s limit"],
  ])('%s accepts %s to %d seconds', (platform, min, max, message) => {
    const lasting = (duration: number) => messages(platform, { media: [video({ duration })] });
    expect(lasting(max)).toEqual([]);
    const [tooLong] = lasting(max + 60);
    expect(tooLong).toEqual(['VIDEO_DURATION_EXCEEDED', expect.stringContaining(message), 'videoDuration']);
    expect(lasting(min ?? 0.1)).toEqual([]);
    if (min === null) return;
    const name = descriptionOf(platform)!.name;
    const tooShort = `Video duration (${min - 0.1}s) is shorter than ${name}'s ${min}s minimum`;
    expect(lasting(min - 0.1)).toEqual([['VIDEO_DURATION_TOO_SHORT', tooShort, 'videoDuration']]);
  });

  test('too long for X have the text of the contract', () => {
    expect(issues('twitter', { media: [video({ duration: 180 })] })).toEqual([
      expect.objectContaining({
        message: "Video duration (3m 0s) exceeds Twitter/X's 2m 20s limit",
        constraint: 'maxDuration',
        currentValue: 180,
        maxValue: 140,
      }),
    ]);
  });

  const stories = { instagram: { videoType: 'STORIES' } };
  test.each([
    ['reels by default', 900, {}, [], "Instagram's 15m 0s limit"],
    ['stories', 60, stories, [], "Instagram's 60s stories limit"],
    ['an item of a carousel', 60, {}, [image()], "Instagram's 60s carousel limit"],
    ['an item of a carousel, whatever the setting', 60, stories, [image()], "Instagram's 60s carousel limit"],
  ])('as %s on Instagram have at most %d seconds', (_, max, settings, others, limit) => {
    const lengths = (duration: number) =>
      messages('instagram', { media: [video({ duration }), ...others], settings }).filter(([code]) =>
        code!.includes('DURATION'),
      );
    expect(lengths(max)).toEqual([]);
    expect(lengths(1080)).toEqual([
      ['VIDEO_DURATION_EXCEEDED', `Video duration (18m 0s) exceeds ${limit}`, 'videoDuration'],
    ]);
  });

  test('as stories have a lower size limit than as reels', () => {
    const media = [video({ size: 101 * mb })];
    expect(issues('instagram', { media })).toEqual([]);
    expect(messages('instagram', { media, settings: stories })).toEqual([
      ['MEDIA_SIZE_EXCEEDED', "Video (101.0MB) exceeds Instagram's 100.0MB limit", 'videoSize'],
    ]);
  });

  test.each([
    ['twitter', 512],
    ['instagram', 300],
    ['threads', 1024],
    ['tiktok', 4096],
    ['linkedin', 500],
    ['youtube', 262_144],
    ['facebook', 2048],
    ['mastodon', 99],
    ['bluesky', 100],
    ['telegram', 50],
  ])('%s accepts %d MB and refuses a byte more', (platform, max) => {
    expect(issues(platform, { media: [video({ size: max * mb })] })).toEqual([]);
    const message = `Video (${max}.0MB) exceeds ${descriptionOf(platform)!.name}'s ${max}.0MB limit`;
    expect(messages(platform, { media: [video({ size: max * mb + 1 })] })).toEqual([
      ['MEDIA_SIZE_EXCEEDED', message, 'videoSize'],
    ]);
  });

  test.each([
    ['starter', 50, 'Starter'],
    ['pro', 250, 'Pro'],
    ['premium_legacy', 250, 'Premium'],
  ] as const)('end at what the plan %s allows: %d MB', (plan, max, name) => {
    expect(issues('youtube', { media: [video({ size: max * mb })], plan })).toEqual([]);
    const message = `Video (300.0MB) exceeds the ${max}.0MB limit of the ${name} plan`;
    expect(messages('youtube', { media: [video({ size: 300 * mb })], plan })).toEqual([
      ['MEDIA_SIZE_EXCEEDED', message, 'videoSize'],
    ]);
  });

  const formats = ['mp4', 'quicktime', 'webm', 'x-matroska', 'x-msvideo'];
  test.each([
    ['twitter', 'mp4 quicktime'],
    ['instagram', 'mp4 quicktime'],
    ['threads', 'mp4 quicktime'],
    ['tiktok', 'mp4 quicktime webm'],
    ['linkedin', 'mp4'],
    ['youtube', 'mp4 quicktime x-msvideo webm'],
    ['facebook', 'mp4 quicktime'],
    ['mastodon', 'mp4 quicktime webm'],
    ['bluesky', 'mp4'],
    ['telegram', 'mp4 quicktime x-msvideo x-matroska webm'],
  ])('%s accepts %s', (platform, taken) => {
    const accepted = formats.filter((format) => issues(platform, { media: [video({}, format)] }).length === 0);
    expect(accepted.sort()).toEqual(taken.split(' ').sort());
  });

  test('are limited to one per post on every platform', () => {
    for (const platform of everyPlatform) {
      const { name } = descriptionOf(platform)!;
      const message = `${name} allows at most 1 video per post (currently 2)`;
      expect(messages(platform, { media: [video(), video()] })).toEqual([['MEDIA_COUNT_EXCEEDED', message, 'media']]);
    }
  });

  test('wider than 3:1 are refused by X', () => {
    const message = "Video aspect ratio (4.00) is outside Twitter/X's range of 0.33 to 3.00";
    expect(messages('twitter', { media: [video({ width: 4000 })] })).toEqual([
      ['MEDIA_ASPECT_RATIO_INVALID', message, 'media'],
    ]);
    expect(issues('twitter', { media: [video({ width: 333, height: 1000 })] })).toEqual([]);
    expect(issues('youtube', { media: [video({ width: 4000 })] })).toEqual([]);
  });

  test('of fewer than 23 or more than 60 frames a second are refused by TikTok', () => {
    for (const frameRate of [23, 23.976, 59.94, 60, 60.02, null]) {
      expect(issues('tiktok', { media: [video({ frameRate })] })).toEqual([]);
    }
    expect(messages('tiktok', { media: [video({ frameRate: 120 })] })).toEqual([
      ['VIDEO_FRAME_RATE_TOO_HIGH', "Video frame rate (120 fps) exceeds TikTok's 60 fps limit", 'video'],
    ]);
    const message = "Video frame rate (15 fps) is below TikTok's 23 fps minimum";
    expect(messages('tiktok', { media: [video({ frameRate: 15 })] })).toEqual([
      ['VIDEO_FRAME_RATE_TOO_LOW', message, 'video'],
    ]);
    expect(issues('youtube', { media: [video({ frameRate: 15 })] })).toEqual([]);
  });
});

describe('documents and mixed media', () => {
  test('only LinkedIn accepts a PDF', () => {
    for (const platform of everyPlatform.filter((name) => name !== 'linkedin')) {
      const found = messages(platform, { media: [document()] }).filter(([code]) => code !== 'VIDEO_REQUIRED');
      const message = `${descriptionOf(platform)!.name} does not support documents`;
      expect(found).toEqual([['DOCUMENTS_NOT_SUPPORTED', message, 'media']]);
    }
    expect(issues('linkedin', { media: [document({ size: 100 * mb, pages: 300 })] })).toEqual([]);
  });

  test.each([
    [{ size: 100 * mb + 1 }, "Document (100.0MB) exceeds LinkedIn's 100.0MB limit"],
    [{ pages: 301 }, "Document (301 pages) exceeds LinkedIn's 300 page limit"],
  ])('a PDF of %j is too large for LinkedIn', (facts, message) => {
    expect(messages('linkedin', { media: [document(facts)] })).toEqual([['MEDIA_SIZE_EXCEEDED', message, 'media']]);
  });

  test('one PDF per post', () => {
    const message = 'LinkedIn allows at most 1 document per post (currently 2)';
    expect(messages('linkedin', { media: [document(), document()] })).toEqual([
      ['MEDIA_COUNT_EXCEEDED', message, 'media'],
    ]);
  });

  test.each(everyPlatform)('%s takes images and a video together only if it can', (platform) => {
    const { name } = descriptionOf(platform)!;
    const mixed = messages(platform, { media: [image(), video()] }).filter(([, message]) => message!.includes('mixed'));
    const message = `Images and videos cannot be mixed in one post on ${name}`;
    expect(mixed).toEqual(platform === 'threads' ? [] : [['MEDIA_TYPE_NOT_SUPPORTED', message, 'media']]);
  });

  test('LinkedIn refuses images beside a document', () => {
    const message = 'Images and documents cannot be mixed in one post on LinkedIn';
    expect(messages('linkedin', { media: [image(), document()] })).toEqual([
      ['MEDIA_TYPE_NOT_SUPPORTED', message, 'media'],
    ]);
  });
});

describe('limits of images that the shown numbers do not have', () => {
  const gif = (facts: Parameters<typeof file>[2] = {}) => image({ frames: 2, ...facts }, 'gif');

  test('a GIF that moves may have 15 MB on X if it is the only file', () => {
    expect(messages('twitter', { media: [gif({ size: 15_000_000 })] })).toEqual([]);
    expect(messages('twitter', { media: [gif({ size: 15_000_001 })] })).toEqual([
      ['MEDIA_SIZE_EXCEEDED', "Image (14.3MB) exceeds Twitter/X's 14.3MB limit", 'imageSize'],
    ]);
    const limit = "Image (6.0MB) exceeds Twitter/X's 5.0MB limit";
    const refused = [['MEDIA_SIZE_EXCEEDED', limit, 'imageSize']];
    expect(messages('twitter', { media: [gif({ size: 6 * mb }), image()] })).toEqual(refused);
    expect(messages('twitter', { media: [animated({ size: 6 * mb })] })).toEqual(refused);
  });

  test.for([
    [500, 10_000],
    [10_000, 500],
  ] as const)('an image of %ix%i has the longest shape that Telegram takes', ([width, height]) => {
    expect(messages('telegram', { media: [image({ width, height })] })).toEqual([]);
  });

  test('an image that is longer is refused by Telegram', () => {
    expect(messages('telegram', { media: [image({ width: 100, height: 2001 })] })).toEqual([
      ['MEDIA_ASPECT_RATIO_INVALID', "Image aspect ratio (0.05) is outside Telegram's range of 1:20 to 20:1", 'media'],
    ]);
  });

  test('width and height count together on Telegram for what cannot be made smaller', () => {
    const sides = { width: 6000, height: 4001 };
    expect(messages('telegram', { media: [image(sides)] })).toEqual([]);
    expect(messages('telegram', { media: [gif(sides)] })).toEqual([
      [
        'MEDIA_DIMENSIONS_INVALID',
        "Image (6000x4001) exceeds Telegram's limit of 10000 pixels for width and height together",
        'media',
      ],
    ]);
  });
});
