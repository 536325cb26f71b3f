import { expect, test } from 'vitest';
import { updatePostStage } from '../../../../test/support/stages/update-post.ts';
import { storageKey } from '../../../foundation/storage/storage-key.ts';
import { insertMedia } from '../../files/files.ts';

const { clock, service, ada, aPost, read, refused, update } = updatePostStage();

const facts = { frameRate: null, codecName: null, bitRate: null, frames: null, pages: null };

/** Stores a thumbnail like POST /upload-youtube-thumbnail. */
async function aThumbnail(postGroupId: string, more: { userId?: string; purpose?: string } = {}) {
  const { app } = service();
  const id = app.newId();
  const key = storageKey('image', `${id}.png`, clock.now(), 0);
  await insertMedia(app.db, {
    id,
    userId: ada().id,
    postGroupId,
    purpose: 'youtube_thumbnail',
    type: 'image',
    mimeType: 'image/png',
    sourceFileName: 'thumbnail.png',
    storageKey: key,
    status: 'ready',
    metadata: { size: 1, width: 640, height: 360, aspectRatio: 16 / 9, format: 'png', duration: null, ...facts },
    objectVersion: 'v',
    now: clock.now(),
    ...more,
  });
  return { mediaId: id, url: app.storage.publicUrl(key) };
}
const setTo = (thumbnail: object) => ({ platformSettings: { youtube: { thumbnail } } });
const notOwn = {
  status: 400,
  body: { field: 'youtube.thumbnail', error: expect.stringContaining('for this post') },
};

test('[platform-settings.thumbnail-source] a thumbnail that was uploaded for the post is accepted', async () => {
  const id = await aPost();
  const thumbnail = await aThumbnail(id);
  expect((await update(id, setTo(thumbnail))).status).toBe(200);
  expect((await read(id)).platformSettings.youtube.thumbnail).toEqual(thumbnail);
});

test('[platform-settings.thumbnail-source] any other file or address is refused', async () => {
  const [id, other] = [await aPost(), await aPost()];
  const thumbnail = await aThumbnail(id);
  await refused(id, setTo({ ...thumbnail, url: 'https://example.com/t.png' }), notOwn);
  await refused(id, setTo(await aThumbnail(other)), notOwn);
  await refused(id, setTo(await aThumbnail(id, { purpose: 'post' })), notOwn);
  await refused(id, setTo(await aThumbnail(id, { userId: (await service().aUser()).id })), notOwn);
});
