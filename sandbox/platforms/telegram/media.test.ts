import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../http/json.ts';
import { tinyMp4, tinyPng } from '../../test-media.ts';
import { errorOf, startWithChannel } from './testing.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('Telegram media', () => {
  test('a photo arrives with its caption', async () => {
    const { upload, posts } = await startWithChannel();
    const caption_entities = [{ type: 'bold', offset: 0, length: 2 }];
    const { result } = await (
      await upload('sendPhoto', { photo: tinyPng }, { caption: 'Hi', caption_entities })
    ).json();
    expect(result).toMatchObject({
      caption: 'Hi',
      caption_entities,
      photo: [{ width: 1 }, { width: 1, height: 1, file_size: tinyPng.length }],
    });
    expect(await posts()).toMatchObject([{ text: 'Hi', media: [{ kind: 'image', sha256: sha256(tinyPng) }] }]);
  });

  test('an album is one post with consecutive messages', async () => {
    const { call, upload, posts } = await startWithChannel();
    const media: Json = [
      { type: 'photo', media: 'attach://f0', caption: 'Both' },
      { type: 'video', media: 'attach://f1' },
    ];
    const { result } = await (await upload('sendMediaGroup', { f0: tinyPng, f1: tinyMp4 }, { media })).json();
    const [first, second] = result;
    expect(second.message_id).toBe(first.message_id + 1);
    expect(second.media_group_id).toBe(first.media_group_id);
    expect([first.caption, second.caption]).toEqual(['Both', undefined]);
    const id = String(first.message_id);
    expect(await posts()).toMatchObject([{ id, text: 'Both', media: [{ kind: 'image' }, { kind: 'video' }] }]);

    await call('sendMessage', { text: 'More', reply_parameters: { message_id: second.message_id } });
    expect((await posts())[1]).toMatchObject({ text: 'More', inReplyTo: id });
    await call('deleteMessage', { message_id: first.message_id });
    expect((await posts())[0]).toMatchObject({ id, text: '', media: [{ kind: 'video' }] });
    await call('deleteMessage', { message_id: second.message_id });
    expect(await posts()).toMatchObject([{ text: 'More' }]);
  });

  const photo = (name: string) => ({ type: 'photo', media: `attach://${name}` });
  test.each([
    [Array.from({ length: 11 }, () => photo('f0')), 'too many messages to send as an album'],
    [[], 'there are no messages to send'],
    [
      [photo('f0'), { type: 'photo', media: 'https://a.test/a.png' }],
      'files by address or id are not simulated by the sandbox',
    ],
    [[photo('f0'), photo('f9')], "can't parse InputMedia: media not found"],
    [
      [photo('f0'), { ...photo('f0'), type: 'animation' }],
      'can\'t parse InputMedia: type "animation" can\'t be used in sendMediaGroup',
    ],
    [[{ ...photo('f0'), type: 'sculpture' }], 'can\'t parse InputMedia: type "sculpture" is unsupported'],
    ['{', "can't parse media JSON object"],
  ])('an album is refused (%#): %s', async (media, reason) => {
    const { upload, posts } = await startWithChannel();
    expect((await errorOf(upload('sendMediaGroup', { f0: tinyPng }, { media })))[2]).toBe(`Bad Request: ${reason}`);
    expect(await posts()).toEqual([]);
  });

  test.each([
    ['a'.repeat(1024), true],
    ['a'.repeat(1025), false],
    ['😀'.repeat(512), true],
    [`${'😀'.repeat(512)}a`, false],
  ])('a caption has at most 1024 UTF-16 units (%#)', async (caption, isAllowed) => {
    const { upload } = await startWithChannel();
    const response = upload('sendPhoto', { photo: tinyPng }, { caption });
    if (isAllowed) expect((await response).status).toBe(200);
    else expect(await errorOf(response)).toEqual([400, 400, 'Bad Request: message caption is too long']);
  });

  const wide = Buffer.from(tinyPng);
  wide.writeUInt32BE(9000, 16);
  wide.writeUInt32BE(1001, 20);
  const thin = Buffer.from(tinyPng);
  thin.writeUInt32BE(21, 16);
  const heavy = Buffer.concat([tinyPng, Buffer.alloc(10 * 1024 * 1024)]);
  test.each<[string, string, Buffer | null, string]>([
    ['too many pixels', 'photo', wide, 'PHOTO_INVALID_DIMENSIONS'],
    ['too long a side', 'photo', thin, 'PHOTO_INVALID_DIMENSIONS'],
    ['a video', 'photo', tinyMp4, 'IMAGE_PROCESS_FAILED'],
    ['nothing', 'photo', null, 'there is no photo in the request'],
    ['no bytes', 'video', Buffer.alloc(0), 'file must be non-empty'],
    [
      'too many bytes',
      'photo',
      heavy,
      `file of size ${heavy.length} bytes is too big for a photo; the maximum size is 10485760 bytes`,
    ],
  ])('%s is refused as a %s', async (_, kind, bytes, reason) => {
    const { upload, posts } = await startWithChannel();
    const response = upload(`send${kind}`, bytes ? { [kind]: bytes } : {});
    expect(await errorOf(response)).toEqual([400, 400, `Bad Request: ${reason}`]);
    expect(await posts()).toEqual([]);
  });

  test('a request over 50 MB is too large', async () => {
    const { upload } = await startWithChannel();
    const video = Buffer.concat([tinyMp4, Buffer.alloc(50 * 1024 * 1024)]);
    expect(await errorOf(upload('sendVideo', { video }))).toEqual([413, 413, 'Request Entity Too Large']);
  });

  test('a video that is not an MP4 arrives as a document', async () => {
    const { upload } = await startWithChannel();
    const webm = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0, 0, 0, 0]);
    const { result } = await (await upload('sendVideo', { video: webm })).json();
    expect(result.video).toBeUndefined();
    expect(result.document).toMatchObject({ mime_type: 'video/webm' });
  });

  test('a video whose processing fails is refused, and nothing is posted', async () => {
    const { sandbox, upload, posts } = await startWithChannel();
    await sandbox.fault({ network: 'telegram', operation: 'upload', kind: 'processing_failed' });
    expect(await errorOf(upload('sendVideo', { video: tinyMp4 }))).toEqual([
      400,
      400,
      'Bad Request: VIDEO_FILE_INVALID',
    ]);
    expect(await posts()).toEqual([]);
  });
});
