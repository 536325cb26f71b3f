import { describe, expect, test } from 'vitest';
import { tinyPng } from '../../../test-media.ts';
import { errorOf, startYouTube } from '../testing.ts';

describe('YouTube thumbnails', () => {
  test('a thumbnail is set and served at the addresses in the response', async () => {
    const youtube = await startYouTube();
    const ann = await youtube.channel('ann');
    const id = await ann.upload();
    const image = makePng(1280);
    const response = await ann.setThumbnail(id, image);
    const { kind, items } = await response.json();
    expect([response.status, kind]).toEqual([200, 'youtube#thumbnailSetResponse']);
    const served = await youtube.at(items[0].maxres.url.replace('https:/', ''));
    expect(Buffer.from(await served.arrayBuffer()).equals(image)).toBe(true);
  });

  test.each([
    ['unverified-ann', makePng(1280), [403, 'forbidden']],
    ['ann', Buffer.from('no image'), [400, 'invalidImage']],
    ['ann', makePng(639), [400, 'invalidImage']],
    ['ann', Buffer.alloc(0), [400, 'mediaBodyRequired']],
    ['ann', Buffer.concat([tinyPng, Buffer.alloc(50 * 1024 * 1024)]), [413, 'uploadTooLarge']],
  ])('%s gets an error for an invalid thumbnail', async (handle, image, expected) => {
    const channel = await (await startYouTube()).channel(handle);
    expect(await errorOf(await channel.setThumbnail(await channel.upload(), image))).toEqual(expected);
  });

  test('only the owner of an existing video can set its thumbnail', async () => {
    const youtube = await startYouTube();
    const [ann, bob] = [await youtube.channel('ann'), await youtube.channel('bob')];
    const id = await ann.upload();
    expect(await errorOf(await bob.setThumbnail(id, makePng(1280)))).toEqual([403, 'forbidden']);
    expect(await errorOf(await ann.setThumbnail('none', makePng(1280)))).toEqual([404, 'videoNotFound']);
  });
});

function makePng(width: number): Buffer {
  const bytes = Buffer.from(tinyPng);
  bytes.writeUInt32BE(width, 16);
  return bytes;
}
