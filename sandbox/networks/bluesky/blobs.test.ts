import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../json.ts';
import { aPng } from '../../testing.ts';
import { aBluesky, type Member } from './testing.ts';

const hourMs = 3600_000;
const images = (...blobs: Json[]) => ({
  embed: { $type: 'app.bsky.embed.images', images: blobs.map((image) => ({ image, alt: 'a dot' })) },
});
const blobOf = async (member: Member, bytes: Uint8Array = aPng) => (await (await member.upload(bytes)).json()).blob;
const blobAddress = (member: Member, blob: { ref: { $link: string } }) => `did=${member.did}&cid=${blob.ref.$link}`;
const answerOf = async (answer: ReturnType<Member['create']>) => {
  const { status, json } = await answer;
  return { status, ...(await json()) };
};

describe('Bluesky blobs', () => {
  test('a blob is named by its content and typed by its bytes, and shows in the post', async () => {
    const sandbox = await aBluesky();
    const ann = await sandbox.account('ann');
    const { blob } = await (await ann.upload(aPng, 'image/jpeg')).json();
    expect(blob).toEqual({
      $type: 'blob',
      ref: { $link: expect.stringMatching(/^bafkrei[a-z2-7]{52}$/) },
      mimeType: 'image/png',
      size: aPng.length,
    });
    const { uri } = await (await ann.create({ text: 'look', ...images(blob) })).json();
    const sha256 = createHash('sha256').update(aPng).digest('hex');
    expect((await sandbox.posts())[0].media).toEqual([{ kind: 'image', bytes: aPng.length, sha256 }]);
    const [post] = (await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts;
    const address = `https://cdn.bsky.app/img/feed_fullsize/plain/${ann.did}/${blob.ref.$link}@jpeg`;
    expect(post.embed).toMatchObject({
      $type: 'app.bsky.embed.images#view',
      images: [{ fullsize: address, alt: 'a dot' }],
    });
    for (const path of [
      address.replace('https:/', ''),
      `/${ann.host}/xrpc/com.atproto.sync.getBlob?did=${ann.did}&cid=${blob.ref.$link}`,
    ]) {
      expect(Buffer.from(await (await sandbox.at(path)).arrayBuffer()).equals(aPng)).toBe(true);
    }
  });

  test('size and number are asked when the post comes, not before', async () => {
    const ann = await (await aBluesky()).account('ann');
    const large = await blobOf(ann, Buffer.concat([aPng, Buffer.alloc(2_000_000)]));
    const prefix = 'Invalid app.bsky.feed.post record:';
    expect(await answerOf(ann.create(images(large)))).toMatchObject({
      status: 400,
      message: `${prefix} blob too big (maximum 2000000, got ${large.size}) at $.record.embed.images[0].image`,
    });
    const small = await blobOf(ann);
    expect(await answerOf(ann.create(images(small, small, small, small, small)))).toMatchObject({
      message: `${prefix} array too big (maximum 4, got 5) at $.record.embed.images`,
    });
    const note = await (await ann.upload(Buffer.from('text'), 'text/plain')).json();
    expect(await answerOf(ann.create(images(note.blob)))).toMatchObject({
      message: `${prefix} Expected "image/*" (got "text/plain") at $.record.embed.images[0].image.mimeType`,
    });
  });

  test('up to twenty pictures stand in a gallery, each with its proportions', async () => {
    const sandbox = await aBluesky();
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

  test('a record may show only what its own account has uploaded, described as it is', async () => {
    const sandbox = await aBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const blob = await blobOf(ann);
    expect(await answerOf(bo.create(images(blob)))).toMatchObject({ status: 400, error: 'BlobNotFound' });
    expect(await answerOf(ann.create(images({ ...blob, mimeType: 'image/gif' })))).toMatchObject({
      error: 'InvalidMimeType',
    });
    expect(await answerOf(ann.create(images({ ...blob, size: 1 })))).toMatchObject({ error: 'InvalidSize' });
    expect(await sandbox.posts()).toEqual([]);
  });

  test('a blob that no record shows is gone after some hours; one that is shown stays, until its last post is deleted', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const sandbox = await aBluesky({ now: () => now });
    const ann = await sandbox.account('ann');
    const [shown, forgotten] = [await blobOf(ann), await blobOf(ann, Buffer.concat([aPng, Buffer.from('2')]))];
    await ann.put('3m5abcdefgh2k', images(shown));
    now += 7 * hourMs;
    const later = await sandbox.account('ann');
    expect(await answerOf(later.create(images(forgotten)))).toMatchObject({ error: 'BlobNotFound' });
    expect((await later.put('3m5abcdefgh3k', images(shown))).status).toBe(200);
    for (const rkey of ['3m5abcdefgh2k', '3m5abcdefgh3k']) {
      const place = { repo: ann.did, collection: 'app.bsky.feed.post', rkey };
      await later.procedure('com.atproto.repo.deleteRecord', place);
      const isThere =
        (await sandbox.read('com.atproto.sync.getBlob', blobAddress(ann, shown), ann.host)).status === 200;
      expect([rkey, isThere]).toEqual([rkey, rkey === '3m5abcdefgh2k']);
    }
  });

  test('a link card may have a picture of up to a million bytes', async () => {
    const sandbox = await aBluesky();
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
    const large = await blobOf(ann, Buffer.concat([aPng, Buffer.alloc(1_000_000)]));
    expect((await ann.create(card(large))).status).toBe(400);
  });

  test('an upload over the server’s own limit is 413, an empty one 400', async () => {
    const sandbox = await aBluesky();
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
