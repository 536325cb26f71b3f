import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dereference } from '../../../test/support/documents/dereference.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import type { PlatformLimits } from './platform-limits-schema.ts';

let service: TestService;
let user: TestUser;
let body: PlatformLimits;
beforeAll(async () => {
  service = await testService();
  user = await service.aUser();
  ({ body } = await user.call('GET', '/platform-limits'));
});
afterAll(() => service.close());

describe('[platform-limits] GET /platform-limits', () => {
  test('has the source of the numbers and the list of platforms', () => {
    const { platforms, ...top } = body;
    expect(top).toEqual({
      success: true,
      schemaVersion: 1,
      source: '@service/platform-limits',
      packageVersion: '1.0.0',
      limitsLastUpdated: '2026-03-11',
      supportedPlatforms: [
        'twitter',
        'instagram',
        'threads',
        'tiktok',
        'linkedin',
        'youtube',
        'facebook',
        'mastodon',
        'bluesky',
        'telegram',
        'pinterest',
      ],
    });
    expect(Object.keys(platforms)).toEqual(top.supportedPlatforms);
  });

  test('the entry of X is the one that the contract shows, with the additions', () => {
    expect(body.platforms.twitter).toEqual({
      platform: 'twitter',
      displayName: 'Twitter/X',
      characters: { standard: 280, premium: 25000 },
      counting: { unit: 'weighted', networkLinkLength: 23 },
      images: {
        supported: true,
        maxSizeBytes: 5242880,
        maxCount: 4,
        formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
      },
      videos: {
        supported: true,
        maxDurationSeconds: 140,
        minDurationSeconds: 0.5,
        maxSizeBytes: 536870912,
        maxCount: 1,
        formats: ['video/mp4', 'video/quicktime'],
        aspectRatioRange: { min: 0.3333333333333333, max: 3 },
      },
      requirements: { requiresMedia: false, requiresVideo: false, supportsTextOnly: true, supportsThreading: true },
      documents: null,
      gifs: null,
      thumbnails: null,
      altText: { maxCharacters: 1000, kinds: ['image'] },
      firstComments: { maxCharacters: 280 },
    });
  });

  test('[platform-limits.additions] only networks that accept first comments have a limit for them', () => {
    const accepting = Object.values(body.platforms).filter(({ firstComments }) => firstComments !== null);
    expect(accepting.map(({ platform }) => platform)).toEqual([
      'twitter',
      'threads',
      'linkedin',
      'mastodon',
      'bluesky',
    ]);
  });

  test.for([
    ['twitter', 'Twitter/X', 280, 25000],
    ['instagram', 'Instagram', 2200, null],
    ['threads', 'Threads', 500, 10000],
    ['tiktok', 'TikTok', 2200, null],
    ['linkedin', 'LinkedIn', 3000, null],
    ['youtube', 'YouTube', 5000, null],
    ['facebook', 'Facebook', 63206, null],
    ['mastodon', 'Mastodon', 500, null],
    ['bluesky', 'Bluesky', 300, null],
    ['telegram', 'Telegram', 4096, null],
    ['pinterest', 'Pinterest', 800, null],
  ] as const)('characters of %s', ([platform, displayName, standard, premium]) => {
    expect(body.platforms[platform]).toMatchObject({ platform, displayName, characters: { standard, premium } });
  });

  test.for([
    ['twitter', 5242880, 4, 'jpeg png gif webp'],
    ['instagram', 8388608, 10, 'jpeg png webp'],
    ['threads', 8388608, 20, 'jpeg png webp'],
    ['tiktok', 20971520, 35, 'jpeg png webp'],
    ['linkedin', 52428800, 10, 'jpeg png gif webp'],
    ['youtube', 0, 0, ''],
    ['facebook', 10485760, 10, 'jpeg png gif bmp tiff webp avif heif heic'],
    ['mastodon', 16777216, 4, 'jpeg png gif webp heif heic avif'],
    ['bluesky', 2000000, 4, 'jpeg png webp'],
    ['telegram', 10485760, 10, 'jpeg png gif webp bmp'],
    ['pinterest', 20971520, 1, 'jpeg png'],
  ] as const)('images of %s', ([platform, maxSizeBytes, maxCount, names]) => {
    const formats = names.split(' ').flatMap((name) => (name ? [`image/${name}`] : []));
    const aspect = platform === 'instagram' && { aspectRatioRange: { min: 0.8, max: 1.91 } };
    const supported = maxCount > 0;
    expect(body.platforms[platform]?.images).toEqual({ supported, maxSizeBytes, maxCount, formats, ...aspect });
  });

  const mimeNames: Record<string, string> = { mov: 'quicktime', avi: 'x-msvideo', mkv: 'x-matroska' };

  test.for([
    ['twitter', 0.5, 140, 536870912, 'mp4 mov'],
    ['instagram', 3, 900, 314572800, 'mp4 mov'],
    ['threads', null, 300, 1073741824, 'mp4 mov'],
    ['tiktok', 3, 600, 4294967296, 'mp4 mov webm'],
    ['linkedin', 3, 1800, 524288000, 'mp4'],
    ['youtube', null, 43200, 274877906944, 'mp4 mov avi webm'],
    ['facebook', null, 2700, 2147483648, 'mp4 mov'],
    ['mastodon', null, 86400, 103809024, 'mp4 mov webm'],
    ['bluesky', null, 180, 104857600, 'mp4'],
    ['telegram', null, 86400, 52428800, 'mp4 mov avi mkv webm'],
    ['pinterest', 4, 900, 2147483648, 'mp4 mov'],
  ] as const)('videos of %s', ([platform, minDurationSeconds, maxDurationSeconds, maxSizeBytes, names]) => {
    const { variants: _, ...videos } = body.platforms[platform]!.videos;
    expect(videos).toEqual({
      supported: true,
      maxCount: 1,
      minDurationSeconds,
      maxDurationSeconds,
      maxSizeBytes,
      formats: names.split(' ').map((name) => `video/${mimeNames[name] ?? name}`),
      aspectRatioRange: platform === 'twitter' ? { min: 1 / 3, max: 3 } : null,
    });
  });

  test('lists the kinds of video that have different numbers', () => {
    const found = Object.entries(body.platforms).flatMap(([platform, { videos }]) =>
      videos.variants ? [[platform, videos.variants]] : [],
    );
    expect(Object.fromEntries(found)).toEqual({
      instagram: {
        reels: { minDurationSeconds: 3, maxDurationSeconds: 900, maxSizeBytes: 314572800 },
        feed: { minDurationSeconds: 3, maxDurationSeconds: 3600, maxSizeBytes: 314572800 },
        carousel: { minDurationSeconds: 3, maxDurationSeconds: 60, maxSizeBytes: 314572800 },
        stories: { minDurationSeconds: 3, maxDurationSeconds: 60, maxSizeBytes: 104857600 },
      },
      facebook: { reels: { minDurationSeconds: 3, maxDurationSeconds: 90, maxSizeBytes: 1073741824 } },
    });
  });

  test.for([
    ['twitter', false, false, true, true],
    ['instagram', true, false, false, false],
    ['threads', false, false, true, true],
    ['tiktok', true, false, false, false],
    ['linkedin', false, false, true, false],
    ['youtube', true, true, false, false],
    ['facebook', false, false, true, false],
    ['mastodon', false, false, true, false],
    ['bluesky', false, false, true, false],
    ['telegram', false, false, true, false],
    ['pinterest', true, false, false, false],
  ] as const)('requirements of %s', ([platform, requiresMedia, requiresVideo, supportsTextOnly, supportsThreading]) => {
    expect(body.platforms[platform]?.requirements).toEqual({
      requiresMedia,
      requiresVideo,
      supportsTextOnly,
      supportsThreading,
    });
  });

  test('documents, GIFs and thumbnails: null except where a platform has numbers for them', () => {
    const found = Object.entries(body.platforms).flatMap(([platform, { documents, gifs, thumbnails }]) =>
      documents || gifs || thumbnails ? [[platform, { documents, gifs, thumbnails }]] : [],
    );
    expect(Object.fromEntries(found)).toEqual({
      instagram: {
        documents: null,
        gifs: null,
        thumbnails: { supported: true, maxSizeBytes: 8388608, formats: ['image/jpeg', 'image/png', 'image/webp'] },
      },
      linkedin: {
        documents: {
          supported: true,
          maxSizeBytes: 104857600,
          maxCount: 1,
          formats: ['application/pdf'],
          maxPages: 300,
        },
        gifs: null,
        thumbnails: null,
      },
      youtube: {
        documents: null,
        gifs: null,
        thumbnails: {
          supported: true,
          maxSizeBytes: 2097152,
          minWidth: 640,
          minHeight: 360,
          recommendedWidth: 1280,
          recommendedHeight: 720,
          formats: ['image/jpeg', 'image/png'],
        },
      },
    });
  });

  test('the limits of alt text, an addition to the contract', () => {
    const found = Object.entries(body.platforms).map(([platform, { altText }]) => [
      platform,
      altText && [altText.maxCharacters, ...altText.kinds],
    ]);
    expect(Object.fromEntries(found)).toEqual({
      twitter: [1000, 'image'],
      linkedin: [4086, 'image'],
      instagram: [1000, 'image'],
      threads: [1000, 'image', 'video'],
      facebook: [1000, 'image'],
      bluesky: [2000, 'image', 'video'],
      mastodon: [1500, 'image', 'video'],
      pinterest: [500, 'image', 'video'],
      tiktok: null,
      youtube: null,
      telegram: null,
    });
  });

  test('is described in the OpenAPI document', async () => {
    await service.server.ready();
    const described = dereference(await service.server.openapi('all')).paths?.['/platform-limits']?.get;
    expect(described).toMatchObject({
      operationId: 'getPlatformLimits',
      security: [{ apiKey: ['read'] }, { session: [] }, { accessToken: [] }],
    });
    expect(JSON.stringify(described?.responses)).toContain('maxDurationSeconds');
  });

  test('needs a valid API key', async () => {
    const headers = { 'x-service-key': `sk_nobody.${'x'.repeat(30)}` };
    const { status, body } = await user.call('GET', '/platform-limits', undefined, headers);
    expect({ status, body }).toEqual({ status: 401, body: { error: 'Invalid API key' } });
  });
});
