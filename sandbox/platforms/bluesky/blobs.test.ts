import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../http/json.ts';
import { tinyPng } from '../../test-media.ts';
import { type Member, startBluesky } from './testing.ts';

const hourMs = 3600_000;
const images = (...blobs: Json[]) => ({
  embed: { $type: 'app.bsky.embed.images', images: blobs.map((image) => ({ image, alt: 'a dot' })) },
});
const blobOf = async (member: Member, bytes: Uint8Array = tinyPng) => (await (await member.upload(bytes)).json()).blob;
const readResponse = async (response: ReturnType<Member['create']>) => {
  const { status, json } = await response;
  return { status, ...(await json()) };
};

describe('Bluesky blobs', () => {
  test('a blob has an id from its content and a type from its bytes, and appears in the post', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const { blob } = await (await ann.upload(tinyPng, 'image/jpeg')).json();
    expect(blob).toEqual({
      $type: 'blob',
      ref: { $link: expect.stringMatching(/^bafkrei[a-z2-7]{52}$/) },
      mimeType: 'image/png',
      size: tinyPng.length,
    });
    const { uri } = await (await ann.create({ text: 'look', ...images(blob) })).json();
    const sha256 = createHash('sha256').update(tinyPng).digest('hex');
    expect((await sandbox.posts())[0].media).toEqual([
      { kind: 'image', bytes: tinyPng.length, sha256, altText: 'a dot' },
    ]);
    const [post] = (await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts;
    const address = `https://cdn.bsky.app/img/feed_fullsize/plain/${ann.did}/${blob.ref.$link}@jpeg`;
    expect(post.embed).toMatchObject({
      $type: 'app.bsky.embed.images#view',
      images: [{ fullsize: address, alt: 'a dot' }],
    });
    const served = await sandbox.at(address.replace('https:/', ''));
    expect(Buffer.from(await served.arrayBuffer()).equals(tinyPng)).toBe(true);
  });

  test('size and number of blobs are checked with the post, not with the upload', async () => {
    const ann = await (await startBluesky()).account('ann');
    const large = await blobOf(ann, Buffer.concat([tinyPng, Buffer.alloc(2_000_000)]));
    const prefix = 'Invalid app.bsky.feed.post record:';
    expect(await readResponse(ann.create(images(large)))).toMatchObject({
      status: 400,
      message: `${prefix} blob too big (maximum 2000000, got ${large.size}) at $.record.embed.images[0].image`,
    });
    const small = await blobOf(ann);
    expect(await readResponse(ann.create(images(small, small, small, small, small)))).toMatchObject({
      message: `${prefix} array too big (maximum 4, got 5) at $.record.embed.images`,
    });
    const note = await (await ann.upload(Buffer.from('text'), 'text/plain')).json();
    expect(await readResponse(ann.create(images(note.blob)))).toMatchObject({
      message: `${prefix} Expected "image/*" (got "text/plain") at $.record.embed.images[0].image.mimeType`,
    });
  });

  test('a gallery has up to twenty images, each with its aspect ratio', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const image = await blobOf(ann);
    const item = { $type: 'app.bsky.embed.gallery#image', image, alt: '', aspectRatio: { width: 1, height: 1 } };
    const gallery = (items: Json[]) => ({ embed: { $type: 'app.bsky.embed.gallery', items } });
    expect((await ann.create(gallery(Array(20).fill(item)))).status).toBe(200);
    expect((await sandbox.posts())[0].media).toHaveLength(20);
    expect((await ann.create(gallery(Array(21).fill(item)))).status).toBe(400);
    const { aspectRatio, ...without } = item;
    expect((await (await ann.create(gallery([without]))).json()).message).toMatch(/Missing required key "aspectRatio"/);
  });

  test('a record may use only blobs of its own account, with their real type and size', async () => {
    const sandbox = await startBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const blob = await blobOf(ann);
    expect(await readResponse(bo.create(images(blob)))).toMatchObject({ status: 400, error: 'BlobNotFound' });
    expect(await readResponse(ann.create(images({ ...blob, mimeType: 'image/gif' })))).toMatchObject({
      error: 'InvalidMimeType',
    });
    expect(await readResponse(ann.create(images({ ...blob, size: 1 })))).toMatchObject({ error: 'InvalidSize' });
    expect(await sandbox.posts()).toEqual([]);
  });

  test('an unused blob is deleted after some hours; a used one stays until its last post is deleted', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const sandbox = await startBluesky({ now: () => now });
    const ann = await sandbox.account('ann');
    const [shown, forgotten] = [await blobOf(ann), await blobOf(ann, Buffer.concat([tinyPng, Buffer.from('2')]))];
    await ann.put('3m5abcdefgh2k', images(shown));
    now += 7 * hourMs;
    const later = await sandbox.account('ann');
    expect(await readResponse(later.create(images(forgotten)))).toMatchObject({ error: 'BlobNotFound' });
    expect((await later.put('3m5abcdefgh3k', images(shown))).status).toBe(200);
    for (const rkey of ['3m5abcdefgh2k', '3m5abcdefgh3k']) {
      const place = { repo: ann.did, collection: 'app.bsky.feed.post', rkey };
      await later.procedure('com.atproto.repo.deleteRecord', place);
      const image = await sandbox.at(`/cdn.bsky.app/img/feed_fullsize/plain/${ann.did}/${shown.ref.$link}@jpeg`);
      const isThere = image.status === 200;
      expect([rkey, isThere]).toEqual([rkey, rkey === '3m5abcdefgh2k']);
    }
  });

  test('the image of a link card may have up to a million bytes', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const card = (thumb: Json) => ({
      embed: {
        $type: 'app.bsky.embed.external',
        external: { uri: 'https://a.test', title: 'A', description: 'B', thumb },
      },
    });
    const { uri } = await (await ann.create(card(await blobOf(ann)))).json();
    const [post] = (await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts;
    expect(post.embed.external).toMatchObject({
      title: 'A',
      thumb: expect.stringMatching(/^https:\/\/cdn\.bsky\.app/),
    });
    expect((await sandbox.posts())[0].media).toEqual([]);
    const large = await blobOf(ann, Buffer.concat([tinyPng, Buffer.alloc(1_000_000)]));
    expect((await ann.create(card(large))).status).toBe(400);
  });

  test('an upload over the server’s limit is 413, an empty one 400', async () => {
    const sandbox = await startBluesky();
    const eve = await sandbox.account('eve.pds.example.org');
    const limit = 5 * 1024 * 1024;
    expect((await eve.upload(Buffer.alloc(limit))).status).toBe(200);
    const over = await eve.upload(Buffer.alloc(limit + 1));
    expect([over.status, await over.json()]).toEqual([
      413,
      { error: 'PayloadTooLarge', message: 'request entity too large' },
    ]);
    expect((await eve.upload(Buffer.alloc(0))).status).toBe(400);
  });
});
