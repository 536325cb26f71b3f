import { expect, test } from 'vitest';
import { attachedImages, attachedMediaId, imageIn, withoutImage } from './attached-images.ts';

const imageOf = (platform: string) => attachedImages.find((image) => image.platform === platform)!;

test('YouTube has a thumbnail and Instagram a cover, each with its own purpose', () => {
  expect(attachedImages.map(({ platform, field, purpose }) => [platform, field, purpose])).toEqual([
    ['instagram', 'cover', 'instagram_cover'],
    ['youtube', 'thumbnail', 'youtube_thumbnail'],
  ]);
});

test('a setting refers to an upload by its record or by its address', () => {
  const thumbnail = { mediaId: '1', url: 'https://example.com/1.png' };
  expect(imageIn({ youtube: { thumbnail } }, imageOf('youtube'))).toEqual(thumbnail);
  expect(imageIn({ instagram: { coverUrl: 'https://example.com/2.jpg' } }, imageOf('instagram'))).toEqual({
    url: 'https://example.com/2.jpg',
  });
  expect(imageIn({ youtube: {} }, imageOf('youtube'))).toBeNull();
  expect(imageIn({}, imageOf('instagram'))).toBeNull();
});

test('only a reference to a record leads to an uploaded file', () => {
  expect(attachedMediaId('youtube', { thumbnail: { mediaId: '1', url: '' } })).toBe('1');
  expect(attachedMediaId('instagram', { coverUrl: 'https://example.com/2.jpg' })).toBeUndefined();
  expect(attachedMediaId('mastodon', {})).toBeUndefined();
});

test('without the image, the other settings stay', () => {
  const settings = { youtube: { title: 'Cats', thumbnail: { mediaId: '1', url: '' } }, threads: {} };
  expect(withoutImage(settings, imageOf('youtube'))).toEqual({ youtube: { title: 'Cats' }, threads: {} });
});
