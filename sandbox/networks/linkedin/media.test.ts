import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anMp4, aPng } from '../../testing.ts';
import { aLinkedIn } from './testing.ts';

const partBytes = 4 * 1024 * 1024;
const aPdf = Buffer.from('%PDF-1.7\n%%EOF\n');

describe('LinkedIn images and documents', () => {
  test('an image waits for its bytes, is processed, and is there', async () => {
    let now = Date.now();
    const linkedin = await aLinkedIn({ now: () => now });
    const acme = await linkedin.account('company-acme');
    const { value } = await (
      await acme.send('/rest/images?action=initializeUpload', { initializeUploadRequest: { owner: acme.urn } })
    ).json();
    expect(value).toEqual({
      uploadUrlExpiresAt: expect.any(Number),
      uploadUrl: expect.stringMatching(/^https:\/\/www\.linkedin\.com\/dms-uploads\//),
      image: expect.stringMatching(/^urn:li:image:/),
    });
    const look = async () => (await acme.get(`/rest/images/${encodeURIComponent(value.image)}`)).json();
    expect(await look()).toMatchObject({ id: value.image, owner: acme.urn, status: 'WAITING_UPLOAD' });
    const early = await acme.publish({ content: { media: { id: value.image } } });
    expect([early.status, (await early.json()).code]).toEqual([400, 'MEDIA_ASSET_WAITING_UPLOAD']);
    expect((await acme.put(value.uploadUrl, aPng)).status).toBe(201);
    expect((await look()).status).toBe('PROCESSING');
    now += 301;
    const { status, downloadUrl } = await look();
    expect(status).toBe('AVAILABLE');
    const served = await linkedin.at(downloadUrl.replace('https:/', ''));
    expect(Buffer.from(await served.arrayBuffer()).equals(aPng)).toBe(true);

    await acme.publish({ content: { media: { id: value.image, altText: 'A dot' } } });
    const sha256 = createHash('sha256').update(aPng).digest('hex');
    expect((await linkedin.posts())[0].media).toEqual([{ kind: 'image', bytes: aPng.length, sha256 }]);
    const page = await (await linkedin.at((await linkedin.posts())[0].url.replace('https:/', ''))).text();
    expect(page).toContain('alt="A dot"');
  });

  test('several images keep their order; one alone is no multiImage, nor are 21', async () => {
    const linkedin = await aLinkedIn();
    const ann = await linkedin.account('ann');
    const files = [aPng, Buffer.concat([aPng, Buffer.from('2')]), Buffer.concat([aPng, Buffer.from('3')])];
    const urns: string[] = [];
    for (const file of files) urns.push(await ann.upload('image', file));
    const images = urns.map((id) => ({ id }));
    expect((await ann.publish({ content: { multiImage: { images } } })).status).toBe(201);
    const hashes = files.map((file) => createHash('sha256').update(file).digest('hex'));
    expect((await linkedin.posts())[0].media.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(hashes);
    const publish = (list: { id: string }[]) =>
      ann.publish({ commentary: 'Other', content: { multiImage: { images: list } } });
    expect((await publish(images.slice(0, 1))).status).toBe(400);
    expect((await publish(Array.from({ length: 21 }, () => images[0] ?? { id: '' }))).status).toBe(400);
    expect((await publish(images.map(({ id }) => ({ media: id, id: '' })))).status).toBe(400);
  });

  test.each([
    ['a file that is no image', Buffer.from('plain text')],
    ['a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0')],
    ['a picture with too many pixels', hugePng()],
  ])('%s fails in processing, and a post with it is answered but never shown', async (_, bytes) => {
    const linkedin = await aLinkedIn({ processingMs: 0 });
    const acme = await linkedin.account('company-acme');
    const urn = await acme.upload('image', bytes);
    const { status } = await (await acme.get(`/rest/images/${encodeURIComponent(urn)}`)).json();
    expect(status).toBe('PROCESSING_FAILED');
    const answer = await acme.publish({ content: { media: { id: urn } } });
    expect(answer.status).toBe(201);
    expect(await linkedin.posts()).toEqual([]);
    const address = `/www.linkedin.com/feed/update/${answer.headers.get('x-restli-id')}/`;
    expect((await linkedin.at(address)).status).toBe(404);
  });

  test('with a member’s permission alone, images and documents cannot be read; videos can', async () => {
    const linkedin = await aLinkedIn();
    const calls = await linkedin.allowing('ann', 'openid profile w_member_social');
    const { urn } = await linkedin.account('ann');
    const request = { initializeUploadRequest: { owner: urn, fileSizeBytes: 100 } };
    const statusOf = async (kind: string) => {
      const { value } = await (await calls.send(`/rest/${kind}s?action=initializeUpload`, request)).json();
      return (await calls.get(`/rest/${kind}s/${encodeURIComponent(value[kind])}`)).status;
    };
    expect([await statusOf('image'), await statusOf('document'), await statusOf('video')]).toEqual([403, 403, 200]);
  });

  test('a document needs a title', async () => {
    const linkedin = await aLinkedIn();
    const ann = await linkedin.account('ann');
    const id = await ann.upload('document', aPdf);
    expect((await ann.publish({ content: { media: { id } } })).status).toBe(400);
    expect((await ann.publish({ content: { media: { id, title: 'Deck' } } })).status).toBe(201);
    const sha256 = createHash('sha256').update(aPdf).digest('hex');
    expect((await linkedin.posts())[0].media).toMatchObject([{ bytes: aPdf.length, sha256 }]);
  });

  test('someone else’s file cannot be posted, nor uploaded in their name', async () => {
    const linkedin = await aLinkedIn();
    const [ann, ben] = [await linkedin.account('ann'), await linkedin.account('ben')];
    const id = await ann.upload('image', aPng);
    expect((await ben.publish({ content: { media: { id } } })).status).toBe(400);
    const request = { initializeUploadRequest: { owner: ann.urn } };
    expect((await ben.send('/rest/images?action=initializeUpload', request)).status).toBe(403);
  });

  test('an address for uploads ends after 30 days', async () => {
    let now = Date.now();
    const linkedin = await aLinkedIn({ now: () => now });
    const ann = await linkedin.account('ann');
    const request = { initializeUploadRequest: { owner: ann.urn } };
    const { value } = await (await ann.send('/rest/images?action=initializeUpload', request)).json();
    now += 31 * 86_400_000;
    const late = await ann.put(value.uploadUrl, aPng);
    expect([late.status, (await late.json()).code]).toEqual([400, 'EXPIRED_UPLOAD_URL']);
  });
});

describe('LinkedIn videos', () => {
  test('a video comes in parts, each with an ETag, and is processed before it can be posted', async () => {
    let now = Date.now();
    const linkedin = await aLinkedIn({ now: () => now });
    const ann = await linkedin.account('ann');
    const film = Buffer.concat([anMp4, Buffer.alloc(2 * partBytes, 7)]);
    const { value, sendPart, finalize, look } = await announce(ann, film);
    expect(value.uploadInstructions).toMatchObject([
      { firstByte: 0, lastByte: partBytes - 1 },
      { firstByte: partBytes, lastByte: 2 * partBytes - 1 },
      { firstByte: 2 * partBytes, lastByte: film.length - 1 },
    ]);
    const etags = [await sendPart(2), await sendPart(0), await sendPart(1)];
    const inOrder = [etags[1], etags[2], etags[0]] as string[];
    expect((await finalize(etags as string[])).status).toBe(400);
    expect((await finalize(inOrder)).status).toBe(200);
    expect((await finalize(inOrder)).status).toBe(200);
    expect((await look()).status).toBe('PROCESSING');
    const publish = () => ann.publish({ content: { media: { id: value.video, title: 'Film' } } });
    const early = await publish();
    expect([early.status, (await early.json()).code]).toEqual([400, 'MEDIA_ASSET_WAITING_UPLOAD']);
    now += 301;
    expect((await look()).status).toBe('AVAILABLE');
    expect((await publish()).headers.get('x-restli-id')).toMatch(/^urn:li:ugcPost:\d+$/);
    const sha256 = createHash('sha256').update(film).digest('hex');
    expect((await linkedin.posts())[0].media).toEqual([{ kind: 'video', bytes: film.length, sha256 }]);
  });

  test('a part of the wrong size, and an end before all parts have come, are refused', async () => {
    const ann = await (await aLinkedIn()).account('ann');
    const { value, finalize } = await announce(ann, anMp4);
    expect((await ann.put(value.uploadInstructions[0].uploadUrl, anMp4.subarray(1))).status).toBe(400);
    const early = await finalize([]);
    expect([early.status, (await early.json()).code]).toEqual([400, 'MEDIA_ASSET_WAITING_UPLOAD']);
  });

  test('what cannot be processed says so, and cannot be posted', async () => {
    const linkedin = await aLinkedIn({ processingMs: 0 });
    const ann = await linkedin.account('ann');
    await linkedin.fault({ network: 'linkedin', operation: 'upload', kind: 'processing_failed' });
    for (const film of [anMp4, Buffer.from('no film at all')]) {
      const { value, sendPart, finalize, look } = await announce(ann, film);
      await finalize([await sendPart(0)]);
      expect(await look()).toMatchObject({ status: 'PROCESSING_FAILED', processingFailureReason: expect.any(String) });
      const answer = await ann.publish({ content: { media: { id: value.video } } });
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'MEDIA_ASSET_PROCESSING_FAILED']);
    }
  });

  test('500 MB are the most', async () => {
    const ann = await (await aLinkedIn()).account('ann');
    const announceSize = (fileSizeBytes: number) =>
      ann.send('/rest/videos?action=initializeUpload', { initializeUploadRequest: { owner: ann.urn, fileSizeBytes } });
    expect((await announceSize(500 * 1024 * 1024)).status).toBe(200);
    expect((await announceSize(500 * 1024 * 1024 + 1)).status).toBe(400);
  });

  test('a thumbnail has an address of its own when it is asked for', async () => {
    const ann = await (await aLinkedIn()).account('ann');
    const request = { owner: ann.urn, fileSizeBytes: anMp4.length, uploadThumbnail: true };
    const answer = await ann.send('/rest/videos?action=initializeUpload', { initializeUploadRequest: request });
    const { value } = await answer.json();
    expect((await ann.put(value.thumbnailUploadUrl, aPng)).status).toBe(201);
    expect(value.captionsUploadUrl).toBeUndefined();
  });
});

type Member = Awaited<ReturnType<Awaited<ReturnType<typeof aLinkedIn>>['account']>>;

async function announce(member: Member, film: Buffer) {
  const request = { owner: member.urn, fileSizeBytes: film.length, uploadCaptions: false, uploadThumbnail: false };
  const answer = await member.send('/rest/videos?action=initializeUpload', { initializeUploadRequest: request });
  const { value } = await answer.json();
  return {
    value,
    async sendPart(number: number): Promise<string> {
      const { uploadUrl, firstByte, lastByte } = value.uploadInstructions[number];
      return (await member.put(uploadUrl, film.subarray(firstByte, lastByte + 1))).headers.get('etag') ?? 'none';
    },
    finalize: (uploadedPartIds: string[]) =>
      member.send('/rest/videos?action=finalizeUpload', {
        finalizeUploadRequest: { video: value.video, uploadToken: value.uploadToken, uploadedPartIds },
      }),
    look: async () => (await member.get(`/rest/videos/${encodeURIComponent(value.video)}`)).json(),
  };
}

function hugePng(): Buffer {
  const bytes = Buffer.from(aPng);
  bytes.writeUInt32BE(7000, 16);
  bytes.writeUInt32BE(6000, 20);
  return bytes;
}
