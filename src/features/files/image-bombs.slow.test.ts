import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flatWebp } from '../../../test/support/files/bombs.ts';
import { anImage } from '../../../test/support/files/media.ts';
import { type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { Answer, TestUser } from '../../../test/support/service/service.ts';
import { descriptionOf } from '../../platforms/descriptions.ts';
import { findMedia } from './queries.ts';
import { outgoingMedia } from './renditions/outgoing-media.ts';

let ours: MediaService;
let eve: TestUser;
let ada: TestUser;
beforeAll(async () => {
  ours = await mediaService('disk');
  [eve, ada] = [await ours.aUser(), await ours.aUser()];
});
afterAll(() => ours.close());

const webp = { fileName: 'flat.webp', contentType: 'image/webp' };
const complete = async (user: TestUser, bytes: Buffer): Promise<Answer> => {
  const { mediaId } = await ours.anUpload(user, bytes, webp);
  return ours.complete(user, mediaId);
};

describe('[complete-media] images that are too large to decode', () => {
  test('a WebP of 38 bytes with 10,900 × 10,900 pixels is refused without being decoded', async () => {
    const bomb = flatWebp(10_900, 10_900);
    expect(bomb).toHaveLength(38);
    const { status, body } = await complete(eve, bomb);
    expect([status, body.code]).toEqual([400, 'PROBE_FAILED']);
    expect(body.error).toBe('The image has 10900 × 10900 pixels; at most 60 megapixels are accepted.');
  });

  test.each([
    ['1200 × 1200 pixels in 38 bytes are honest', flatWebp(1_200, 1_200), 200],
    ['16 megapixels in 38 bytes are honest', flatWebp(4_000, 4_000), 200],
    ['more than 16 megapixels in 38 bytes are refused', flatWebp(4_001, 4_000), 400],
    ['60 megapixels in 38 bytes are refused', flatWebp(7_500, 8_000), 400],
    ['17 megapixels in enough bytes are accepted', Buffer.concat([flatWebp(4_250, 4_000), Buffer.alloc(8_500)]), 200],
  ])('%s', async (_, bytes, status) => {
    expect((await complete(eve, bytes)).status).toBe(status);
  });
});

test('while one user has many expensive images checked and converted, others are served immediately', async () => {
  const dear = flatWebp(4_000, 4_000);
  const checks = await Promise.all(Array.from({ length: 12 }, () => ours.anUpload(eve, dear, webp)));
  const { mediaId } = await ours.aReadyFile(eve, dear, webp);
  const record = (await findMedia(ours.app.db, eve.id, mediaId))!;
  const { limits } = descriptionOf('instagram')!;
  const small = await ours.anUpload(ada, (await anImage({ width: 1, height: 1, type: 'png' })).bytes);

  const done = { checks: 0, conversions: 0 };
  const attack = [
    ...checks.map(async (upload) => {
      if ((await ours.complete(eve, upload.mediaId)).status === 200) done.checks += 1;
    }),
    ...Array.from({ length: 4 }, async () => {
      await using _ = await outgoingMedia(ours.app, [record], limits);
      done.conversions += 1;
    }),
  ];
  const checked = ours.complete(ada, small.mediaId).then((answer) => ({ answer, before: done.checks }));
  const session = signedIn(ours, ada).then((headers) => ({ headers, before: done.conversions }));
  const { answer, before } = await checked;
  expect(answer).toMatchObject({ status: 200, body: { mediaFile: { mimeType: 'image/png' } } });
  expect(before).toBeLessThan(checks.length / 2);
  expect(await session).toMatchObject({ headers: { authorization: expect.stringMatching(/^Bearer \w/) } });
  expect((await session).before).toBeLessThan(2);
  await Promise.all(attack);
});
