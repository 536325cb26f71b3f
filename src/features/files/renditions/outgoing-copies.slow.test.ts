import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aVideo } from '../../../../test/support/files/media.ts';
import { everyPlace, publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { type MediaService, mediaService } from '../../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { storageKey as newStorageKey } from '../../../foundation/storage/storage-key.ts';
import { publishNext } from '../../publishing/attempt/attempt.ts';
import { withBatchedWrites } from '../../publishing/attempt/batched-writes.ts';
import { dispatch } from '../../publishing/lanes/dispatcher.ts';
import { claimLanes, releaseLane } from '../../publishing/lanes/lane-queries.ts';
import type { MediaRecord } from '../queries.ts';
import { outgoingMedia } from './outgoing-media.ts';

let ours: MediaService;
let ada: TestUser;
beforeAll(async () => {
  ours = await mediaService('s3');
  ada = await ours.aUser();
});
afterAll(() => ours.close());

/** A scheduled post with a video, which is due. */
async function aDuePost(connections: number) {
  const platforms = await Promise.all(Array.from({ length: connections }, () => ada.aConnection()));
  const { body } = await ada.call('POST', '/create-post', { content: 'A video', platforms });
  const { postGroupId } = body;
  await ours.aReadyFile(ada, aVideo().bytes, { postGroupId, contentType: 'video/mp4', fileName: 'v.mp4' });
  const scheduledTime = new Date(ours.clock.now().getTime() + 60_000).toISOString();
  const change = { status: 'scheduled', scheduledTime, content: 'A video' };
  expect(await ada.call('PUT', `/update-post/${postGroupId}`, change)).toMatchObject({ status: 200 });
  ours.clock.advance({ seconds: 60 });
  return {
    async read() {
      const { status } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
      const { logs } = (await ada.call('GET', `/post-logs/${postGroupId}`)).body;
      return { status, logs };
    },
  };
}

const copies = () => readdir(join(ours.folder, 'media-copies')).catch(() => []);

/** Publishes from all lanes at the same time, as a worker does. Returns the most copies seen. */
async function publishTogether() {
  const app = withBatchedWrites(ours.app);
  await dispatch(ours.app);
  const lanes = await claimLanes(app.db, 'worker', app.clock.now(), everyPlace);
  let most = 0;
  const watching = setInterval(async () => {
    most = Math.max(most, (await copies()).length);
  }, 20);
  await Promise.all(
    lanes.map(async ({ connectionId }) => {
      while (await publishNext(app, 'worker', connectionId, new AbortController().signal));
      await releaseLane(app.db, 'worker', connectionId, app.clock.now());
    }),
  );
  clearInterval(watching);
  return most;
}

test('a video that goes to many connections with slow servers is copied to the disk once', async () => {
  await aDuePost(20);
  await ours.sandbox.fault({ operation: 'upload', kind: 'latency', latencyMs: 3_000, times: 20 });
  expect(await publishTogether()).toBe(1);
  expect(await copies()).toEqual([]);
  await ours.sandbox.clearFaults();
});

test('an owner has four sets of large files on the disk at a time, those of others are copied meanwhile, and the rest follow', async () => {
  const sent = async (ownerId: string) => {
    const storageKey = newStorageKey('video', 'v.mp4', ours.clock.now(), 0);
    await ours.app.storage.write(storageKey, Readable.from([Buffer.from('a video')]), { contentType: 'video/mp4' });
    const large = { type: 'video', purpose: 'post', objectVersion: null, metadata: { size: 100_000_000 } };
    const outgoing = await outgoingMedia(ours.app, [{ ...large, ownerId, storageKey } as MediaRecord], {
      images: null,
    });
    return { outgoing, blob: outgoing.media[0]!.blob() };
  };
  const own = await Promise.all(Array.from({ length: 6 }, () => sent('an owner')));
  const other = await sent('another owner');
  await Promise.all([...own.slice(0, 4), other].map(({ blob }) => blob));
  expect(await copies()).toHaveLength(5);
  for (const { outgoing, blob } of [...own, other]) {
    expect(await (await blob).text()).toBe('a video');
    await outgoing[Symbol.asyncDispose]();
  }
  expect(await copies()).toEqual([]);
});

test('a post waits for hours while the disk has no space for a copy, says so, and is published afterwards', async () => {
  const { read } = await aDuePost(1);
  const file = () => Promise.reject(new StorageError('full', 'Full.'));
  const full = { ...ours.app, storage: { ...ours.app.storage, file } };
  for (let hour = 0; hour < 5; hour += 1) {
    await publishDue(full);
    const { status, logs } = await read();
    const error = 'The service has no disk space left to send the file v.mp4. Contact its operator.';
    expect([status, logs.at(-1)]).toMatchObject(['scheduled', { error, metadata: { errorCode: 'UNKNOWN_ERROR' } }]);
    ours.clock.advance({ seconds: 3600 });
  }
  for (let n = 0; n < 10 && (await read()).status === 'scheduled'; n += 1) {
    await publishDue(ours.app);
    ours.clock.advance({ seconds: 5 });
  }
  expect((await read()).status).toBe('published');
});
