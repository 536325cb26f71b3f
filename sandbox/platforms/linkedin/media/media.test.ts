import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { tinyMp4, tinyPng } from '../../../test-media.ts';
import { startLinkedIn } from '../testing.ts';

const partBytes = 4 * 1024 * 1024;
const tinyPdf = Buffer.from('%PDF-1.7\n%%EOF\n');

describe('LinkedIn images and documents', () => {
  test('an image waits for its bytes, is processed and becomes available', async () => {
    let now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
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
    expect((await acme.put(value.uploadUrl, tinyPng)).status).toBe(201);
    expect((await look()).status).toBe('PROCESSING');
    now += 301;
    const { status, downloadUrl } = await look();
    expect(status).toBe('AVAILABLE');
    const served = await linkedin.at(downloadUrl.replace('https:/', ''));
    expect(Buffer.from(await served.arrayBuffer()).equals(tinyPng)).toBe(true);

    await acme.publish({ content: { media: { id: value.image, altText: 'A dot' } } });
    const sha256 = createHash('sha256').update(tinyPng).digest('hex');
    expect((await linkedin.posts())[0].media).toEqual([
      { kind: 'image', bytes: tinyPng.length, sha256, altText: 'A dot' },
    ]);
    const page = await (await linkedin.at((await linkedin.posts())[0].url.replace('https:/', ''))).text();
    expect(page).toContain('alt="A dot"');
  });

  test('images keep their order; a multiImage needs 2 to 20', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const files = [tinyPng, Buffer.concat([tinyPng, Buffer.from('2')]), Buffer.concat([tinyPng, Buffer.from('3')])];
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
    ['an image with too many pixels', hugePng()],
  ])('%s fails in processing, and a post with it is accepted but never appears', async (_, bytes) => {
    const linkedin = await startLinkedIn({ processingMs: 0 });
    const acme = await linkedin.account('company-acme');
    const urn = await acme.upload('image', bytes);
    const { status } = await (await acme.get(`/rest/images/${encodeURIComponent(urn)}`)).json();
    expect(status).toBe('PROCESSING_FAILED');
    const response = await acme.publish({ content: { media: { id: urn } } });
    expect(response.status).toBe(201);
    expect(await linkedin.posts()).toEqual([]);
    const address = `/www.linkedin.com/feed/update/${response.headers.get('x-restli-id')}/`;
    expect((await linkedin.at(address)).status).toBe(404);
  });

  test('with a member’s permission alone, videos can be read but not images and documents', async () => {
    const linkedin = await startLinkedIn();
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
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const id = await ann.upload('document', tinyPdf);
    expect((await ann.publish({ content: { media: { id } } })).status).toBe(400);
    expect((await ann.publish({ content: { media: { id, title: 'Deck' } } })).status).toBe(201);
    const sha256 = createHash('sha256').update(tinyPdf).digest('hex');
    expect((await linkedin.posts())[0].media).toMatchObject([{ bytes: tinyPdf.length, sha256 }]);
  });

  test('another account’s file cannot be posted, and no file uploaded in its name', async () => {
    const linkedin = await startLinkedIn();
    const [ann, ben] = [await linkedin.account('ann'), await linkedin.account('ben')];
    const id = await ann.upload('image', tinyPng);
    expect((await ben.publish({ content: { media: { id } } })).status).toBe(400);
    const request = { initializeUploadRequest: { owner: ann.urn } };
    expect((await ben.send('/rest/images?action=initializeUpload', request)).status).toBe(403);
  });

  test('an upload address expires after 30 days', async () => {
    let now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
    const ann = await linkedin.account('ann');
    const request = { initializeUploadRequest: { owner: ann.urn } };
    const { value } = await (await ann.send('/rest/images?action=initializeUpload', request)).json();
    now += 31 * 86_400_000;
    const late = await ann.put(value.uploadUrl, tinyPng);
    expect([late.status, (await late.json()).code]).toEqual([400, 'EXPIRED_UPLOAD_URL']);
  });
});

describe('LinkedIn videos', () => {
  test('a video is uploaded in parts with ETags and processed before it can be posted', async () => {
    let now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
    const ann = await linkedin.account('ann');
    const video = Buffer.concat([tinyMp4, Buffer.alloc(2 * partBytes, 7)]);
    const { value, sendPart, finalize, look } = await announce(ann, video);
    expect(value.uploadInstructions).toMatchObject([
      { firstByte: 0, lastByte: partBytes - 1 },
      { firstByte: partBytes, lastByte: 2 * partBytes - 1 },
      { firstByte: 2 * partBytes, lastByte: video.length - 1 },
    ]);
    const etags = [await sendPart(2), await sendPart(0), await sendPart(1)];
    const inOrder = [etags[1], etags[2], etags[0]] as string[];
    expect((await finalize(etags as string[])).status).toBe(400);
    expect((await finalize(inOrder)).status).toBe(200);
    expect((await finalize(inOrder)).status).toBe(200);
    expect((await look()).status).toBe('PROCESSING');
    const publish = () => ann.publish({ content: { media: { id: value.video, title: 'Video' } } });
    const early = await publish();
    expect([early.status, (await early.json()).code]).toEqual([400, 'MEDIA_ASSET_WAITING_UPLOAD']);
    now += 301;
    expect((await look()).status).toBe('AVAILABLE');
    expect((await publish()).headers.get('x-restli-id')).toMatch(/^urn:li:ugcPost:\d+$/);
    const sha256 = createHash('sha256').update(video).digest('hex');
    expect((await linkedin.posts())[0].media).toEqual([{ kind: 'video', bytes: video.length, sha256 }]);
  });

  test('a part of the wrong size is refused, and so is finishing with missing parts', async () => {
    const ann = await (await startLinkedIn()).account('ann');
    const { value, finalize } = await announce(ann, tinyMp4);
    expect((await ann.put(value.uploadInstructions[0].uploadUrl, tinyMp4.subarray(1))).status).toBe(400);
    const early = await finalize([]);
    expect([early.status, (await early.json()).code]).toEqual([400, 'MEDIA_ASSET_WAITING_UPLOAD']);
  });

  test('failed processing states the reason, and the video cannot be posted', async () => {
    const linkedin = await startLinkedIn({ processingMs: 0 });
    const ann = await linkedin.account('ann');
    await linkedin.fault({ network: 'linkedin', operation: 'upload', kind: 'processing_failed' });
    for (const video of [tinyMp4, Buffer.from('not a video')]) {
      const { value, sendPart, finalize, look } = await announce(ann, video);
      await finalize([await sendPart(0)]);
      expect(await look()).toMatchObject({ status: 'PROCESSING_FAILED', processingFailureReason: expect.any(String) });
      const response = await ann.publish({ content: { media: { id: value.video } } });
      expect([response.status, (await response.json()).code]).toEqual([400, 'MEDIA_ASSET_PROCESSING_FAILED']);
    }
  });

  test('a video has at most 500 MB', async () => {
    const ann = await (await startLinkedIn()).account('ann');
    const announceSize = (fileSizeBytes: number) =>
      ann.send('/rest/videos?action=initializeUpload', { initializeUploadRequest: { owner: ann.urn, fileSizeBytes } });
    expect((await announceSize(500 * 1024 * 1024)).status).toBe(200);
    expect((await announceSize(500 * 1024 * 1024 + 1)).status).toBe(400);
  });
});

type Member = Awaited<ReturnType<Awaited<ReturnType<typeof startLinkedIn>>['account']>>;

async function announce(member: Member, video: Buffer) {
  const request = { owner: member.urn, fileSizeBytes: video.length, uploadCaptions: false, uploadThumbnail: false };
  const response = await member.send('/rest/videos?action=initializeUpload', { initializeUploadRequest: request });
  const { value } = await response.json();
  return {
    value,
    async sendPart(number: number): Promise<string> {
      const { uploadUrl, firstByte, lastByte } = value.uploadInstructions[number];
      return (await member.put(uploadUrl, video.subarray(firstByte, lastByte + 1))).headers.get('etag') ?? 'none';
    },
    finalize: (uploadedPartIds: string[]) =>
      member.send('/rest/videos?action=finalizeUpload', {
        finalizeUploadRequest: { video: value.video, uploadToken: value.uploadToken, uploadedPartIds },
      }),
    look: async () => (await member.get(`/rest/videos/${encodeURIComponent(value.video)}`)).json(),
  };
}

function hugePng(): Buffer {
  const bytes = Buffer.from(tinyPng);
  bytes.writeUInt32BE(7000, 16);
  bytes.writeUInt32BE(6000, 20);
  return bytes;
}
