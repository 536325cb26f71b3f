import { expect, test } from 'vitest';
import { type GraphAnswer, graphMedia, graphServer } from '../../../test/support/servers/graph.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import type { Media } from '../kit/index.ts';
import type { Post } from './container.ts';
import { instagram } from './index.ts';
import { publish } from './publish.ts';

const finished = { status_code: 'FINISHED', status: '' };
const vendor = (answers: Record<string, GraphAnswer[]> = {}) =>
  graphServer('instagram', {
    'GET /42/media': [{ data: [] }],
    'GET /42/stories': [{ data: [] }],
    'POST /42/media': [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }],
    'GET /c1': [finished],
    'GET /c2': [finished],
    'GET /c3': [finished],
    'GET /42/content_publishing_limit': [{ data: [{ quota_usage: 2, config: { quota_total: 50 } }] }],
    'POST /42/media_publish': [{ id: 'm1' }],
    'GET /m1': [{ id: 'm1', permalink: 'https://www.instagram.com/p/abc/' }],
    ...answers,
  });

const image = graphMedia('image', '1.jpg');
const describedImage = graphMedia('image', '1.jpg', 'A chart');
const video = graphMedia('video', '2.mp4');
const imageUrl = 'https://media.example/1.jpg?a=1&b=2';
const videoUrl = 'https://media.example/2.mp4?a=1&b=2';
const coverUrl = 'https://media.example/cover.jpg';
const post = (media: Media[], settings: Partial<Post['settings']> = {}): Post => ({
  text: 'Hello',
  media,
  thumbnail: null,
  settings: { videoType: 'REELS', ...settings },
});

test.for<[title: string, post: Post, sent: Record<string, string>[]]>([
  [
    'an image has its caption and its alt text',
    post([describedImage]),
    [{ image_url: imageUrl, alt_text: 'A chart', caption: 'Hello' }],
  ],
  [
    'a single video is a Reel that is shared to the feed',
    post([video]),
    [{ media_type: 'REELS', video_url: videoUrl, caption: 'Hello', share_to_feed: 'true' }],
  ],
  [
    'a Reel has its cover, and stays off the feed if set so',
    post([video], { shareToFeed: false, coverUrl }),
    [{ media_type: 'REELS', video_url: videoUrl, caption: 'Hello', share_to_feed: 'false', cover_url: coverUrl }],
  ],
  [
    'an image ignores the settings of a Reel',
    post([image], { shareToFeed: false, coverUrl }),
    [{ image_url: imageUrl, caption: 'Hello' }],
  ],
  [
    'a story with an image holds nothing else',
    post([describedImage], { videoType: 'STORIES', coverUrl }),
    [{ media_type: 'STORIES', image_url: imageUrl }],
  ],
  [
    'a story with a video holds nothing else',
    post([video], { videoType: 'STORIES', coverUrl }),
    [{ media_type: 'STORIES', video_url: videoUrl }],
  ],
  [
    'a carousel creates its items first, of both kinds, in order',
    post([describedImage, video]),
    [
      { is_carousel_item: 'true', image_url: imageUrl, alt_text: 'A chart' },
      { is_carousel_item: 'true', media_type: 'VIDEO', video_url: videoUrl },
      { media_type: 'CAROUSEL', children: 'c1,c2', caption: 'Hello' },
    ],
  ],
  ['an empty caption is left out', { ...post([image]), text: '' }, [{ image_url: imageUrl }]],
])('%s', async ([, given, sent]) => {
  await using meta = await vendor();
  expect(await publish(given, meta.run())).toEqual({ id: 'm1', url: 'https://www.instagram.com/p/abc/' });
  expect(meta.sentTo('POST /42/media')).toEqual(sent);
});

test('a story of several is rejected, by validation and before publishing', async () => {
  await using meta = await vendor();
  const story = post([image, video], { videoType: 'STORIES' });
  const { account, ...run } = meta.run();
  expect(await failureOf(publish(story, { ...run, account }))).toMatchObject({ kind: 'rejected' });
  expect(meta.asked).toEqual([]);
  expect(instagram.validate?.(story, account)).toMatchObject([{ code: 'MEDIA_COUNT_EXCEEDED', field: 'media' }]);
  expect(instagram.validate?.(post([image, video]), account)).toEqual([]);
  expect(instagram.validate?.(post([video], { videoType: 'STORIES' }), account)).toEqual([]);
});

test('a post without media is rejected before anything is sent', async () => {
  await using meta = await vendor();
  expect(await failureOf(publish(post([]), meta.run()))).toMatchObject({ kind: 'rejected' });
  expect(meta.asked).toEqual([]);
});

test('a story is looked for among the stories, which have no captions', async () => {
  const permalink = 'https://www.instagram.com/stories/ann/s2';
  await using meta = await vendor({
    'POST /42/media_publish': ['hang up'],
    'GET /42/stories': [{ data: [] }, { data: [{ id: 's2', permalink, timestamp: '2031-02-03T04:05:10+0000' }] }],
    'GET /c1': [finished, { status_code: 'PUBLISHED', status: '' }],
  });
  const story = post([image], { videoType: 'STORIES' });
  await failureOf(publish(story, meta.run()));
  expect(await publish(story, meta.run())).toEqual({ id: 's2', url: permalink });
});
