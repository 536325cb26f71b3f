import { describe, expect, test } from 'vitest';
import { type GraphAnswer, graphMedia, graphServer, refusal } from '../../../test/support/servers/graph.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { publish as publishOnInstagram } from '../instagram/publish.ts';
import type { Media } from '../kit/index.ts';
import { NothingFound, RetryLater, reconcilingRunner } from '../kit/steps.ts';
import { publish as publishOnThreads } from '../threads/publish.ts';

type Server = Awaited<ReturnType<typeof graphServer>>;
type Run = ReturnType<Server['run']>;

const content = (media: Media[]) => ({ text: 'Hello', media, thumbnail: null });
const image = graphMedia('image', '1.jpg');
const video = graphMedia('video', '2.mp4');

const instagram = {
  platform: 'instagram',
  edge: 'media',
  list: 'GET /42/media',
  limit: 'GET /42/content_publishing_limit',
  deadlineMs: 3_600_000,
  notReady: refusal(9007, 2207027),
  mediaError: 'Error: Media upload has failed with error code 2207026',
  ownError: 'Error: Media upload has failed with error code 2207001',
  status: (status_code: string, status = '') => ({ status_code, status }),
  textName: 'caption',
  publish: (run: Run, media = [image], text = 'Hello') =>
    publishOnInstagram({ ...content(media), text, settings: { videoType: 'REELS' } }, run),
} as const;

const threads = {
  platform: 'threads',
  edge: 'threads',
  list: 'GET /me/threads',
  limit: 'GET /42/threads_publishing_limit',
  deadlineMs: 30 * 60_000,
  notReady: refusal(24, 4279009),
  mediaError: 'INVALID_DURATION',
  ownError: 'UNKNOWN',
  status: (status: string, error_message?: string) => ({ status, ...(error_message && { error_message }) }),
  textName: 'text',
  publish: (run: Run, media = [image], text = 'Hello') =>
    publishOnThreads({ ...content(media), text, settings: { replyControl: '' } }, run),
} as const;

describe.for([instagram, threads])('$platform', (vendor) => {
  const { status, publish, edge, list, notReady } = vendor;
  const create = `POST /42/${edge}`;
  const send = `POST /42/${edge}_publish`;
  const finished = status('FINISHED');
  const published = { id: 'm1', url: 'https://meta.example/m1' };
  const listed = (id: string, text: string, timestamp = '2031-02-03T04:05:10+0000') => ({
    id,
    timestamp,
    permalink: `https://meta.example/${id}`,
    [vendor.textName]: text,
  });
  const quota = (used: number) => ({ data: [{ quota_usage: used, config: { quota_total: 50 } }] });
  const serve = (answers: Record<string, GraphAnswer[]> = {}) =>
    graphServer(vendor.platform, {
      [list]: [{ data: [listed('old', 'Hello')] }],
      [create]: [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }, { id: 'c4' }, { id: 'c5' }, { id: 'c6' }],
      'GET /c1': [finished],
      'GET /c2': [finished],
      'GET /c3': [finished],
      [vendor.limit]: [quota(2)],
      [send]: [{ id: 'm1' }],
      'GET /m1': [{ id: 'm1', permalink: published.url }],
      ...answers,
    });

  describe('waiting', () => {
    test('a post is published when its container is finished, from one container', async () => {
      await using meta = await serve({ 'GET /c1': [status('IN_PROGRESS'), finished] });
      await expect(publish(meta.run())).rejects.toBeInstanceOf(RetryLater);
      expect(meta.count(send)).toBe(0);
      expect(await publish(meta.run())).toEqual(published);
      expect(meta.count(create)).toBe(1);
    });

    test('a carousel is created when all of its items are finished', async () => {
      await using meta = await serve({ 'GET /c2': [status('IN_PROGRESS'), finished] });
      await expect(publish(meta.run(), [image, video])).rejects.toBeInstanceOf(RetryLater);
      expect(meta.count(create)).toBe(2);
      expect(await publish(meta.run(), [image, video])).toEqual(published);
      expect(meta.sentTo(create)).toMatchObject([{}, {}, { media_type: 'CAROUSEL', children: 'c1,c2' }]);
    });

    test('goes on if only publishing shows that the container is not ready', async () => {
      await using meta = await serve({ [send]: [notReady, { id: 'm1' }] });
      await expect(publish(meta.run())).rejects.toBeInstanceOf(RetryLater);
      expect(await publish(meta.run())).toEqual(published);
    });

    test('ends at the deadline', async () => {
      await using meta = await serve({ 'GET /c1': [status('IN_PROGRESS')] });
      await expect(publish(meta.run())).rejects.toBeInstanceOf(RetryLater);
      meta.clock.now += vendor.deadlineMs + 1;
      const failure = await failureOf(publish(meta.run()));
      expect(failure).toMatchObject({ kind: 'unavailable', reason: 'IN_PROGRESS', mayHaveHappened: false });
      expect(meta.steps.open()).toEqual([]);
    });

    test('a published post causes no further requests', async () => {
      await using meta = await serve();
      await publish(meta.run(), [image, video]);
      const before = meta.asked.length;
      expect(await publish(meta.run(), [image, video])).toEqual(published);
      expect(meta.asked).toHaveLength(before);
    });
  });

  describe('a container', () => {
    test('with a fault in the media is rejected for the platform’s reason', async () => {
      await using meta = await serve({ 'GET /c1': [status('ERROR', vendor.mediaError)] });
      expect(await failureOf(publish(meta.run()))).toMatchObject({ kind: 'rejected', reason: vendor.mediaError });
      expect(meta.steps.open()).toEqual([]);
    });

    test.for([status('EXPIRED'), status('ERROR', vendor.ownError)])('in the state %o is replaced', async (state) => {
      await using meta = await serve({ 'GET /c1': [state] });
      expect(await publish(meta.run())).toEqual(published);
      expect(meta.sentTo(send)).toEqual([{ creation_id: 'c2' }]);
    });

    test('of a carousel with an expired item is replaced, with all items', async () => {
      await using meta = await serve({
        'GET /c2': [status('EXPIRED')],
        'GET /c4': [finished],
        'GET /c5': [finished],
      });
      expect(await publish(meta.run(), [image, video])).toEqual(published);
      expect(meta.sentTo(create).flatMap(({ children = [] }) => children)).toEqual(['c3,c4']);
    });

    test('is replaced twice at most', async () => {
      const expired = [status('EXPIRED', 'Expired')];
      await using meta = await serve({ 'GET /c1': expired, 'GET /c2': expired, 'GET /c3': expired });
      expect(await failureOf(publish(meta.run()))).toMatchObject({ kind: 'unavailable', reason: 'Expired' });
      expect(meta.count(create)).toBe(3);
    });
  });

  describe('never twice', () => {
    const inDoubt = async (answers: Record<string, GraphAnswer[]>, text?: string) => {
      const made = await serve({ [send]: ['hang up'], ...answers });
      expect((await failureOf(publish(made.run(), [image], text))).mayHaveHappened).toBe(true);
      return made;
    };
    const old = { data: [listed('old', 'Hello')] };
    const turnsOut = [finished, status('PUBLISHED')];

    test('a published container leads to the oldest new post with its text', async () => {
      const posts = { data: ['m4', 'm3', 'm2', 'old'].map((id) => listed(id, id === 'm2' ? 'Other' : ' Hello\n')) };
      await using meta = await inDoubt({ [list]: [old, posts], 'GET /c1': turnsOut });
      expect(await publish(meta.run())).toEqual({ id: 'm3', url: 'https://meta.example/m3' });
      expect(meta.count(send)).toBe(1);
    });

    test('a post that the person made while the container was processed is not taken for it', async () => {
      const posts = [listed('m2', 'Hello', '2031-02-03T04:15:08+0000'), listed('own', 'Hello'), listed('old', 'Hello')];
      const answers = { [list]: [old, { data: posts }], 'GET /c1': [status('IN_PROGRESS'), ...turnsOut] };
      await using meta = await serve({ [send]: ['hang up'], ...answers });
      await expect(publish(meta.run())).rejects.toBeInstanceOf(RetryLater);
      meta.clock.now += 600_000;
      await failureOf(publish(meta.run()));
      expect(await publish(meta.run())).toMatchObject({ id: 'm2' });
    });

    test('nor is one that the person made before it was published despite an error', async () => {
      const posts = [listed('m2', 'Hello', '2031-02-03T04:15:08+0000'), listed('own', 'Hello'), listed('old', 'Hello')];
      const answers = { [list]: [old, { data: posts }], 'GET /c1': [status('IN_PROGRESS'), ...turnsOut] };
      await using meta = await serve({ [send]: [refusal(2)], ...answers });
      await expect(publish(meta.run())).rejects.toBeInstanceOf(RetryLater);
      meta.clock.now += 600_000;
      expect(await publish(meta.run())).toMatchObject({ id: 'm2' });
    });

    describe('a post without text', () => {
      const shown = (id: string, media_type?: string) => ({ ...listed(id, ''), ...(media_type && { media_type }) });
      const found = async (...posts: Json[]) => {
        await using meta = await inDoubt({ [list]: [old, { data: posts }], 'GET /c1': turnsOut }, '');
        return await publish(meta.run(), [image], '');
      };

      test('is the only new one without text', async () => {
        expect(await found(listed('m3', 'Other'), shown('m2'))).toMatchObject({ id: 'm2' });
      });

      test('is not one of another kind', async () => {
        const others = [shown('m3', 'VIDEO'), shown('m2', 'CAROUSEL_ALBUM')];
        expect(await found(shown('m4', 'IMAGE'), ...others)).toMatchObject({ id: 'm4' });
      });

      test('has an unknown outcome if it may be one of several', async () => {
        expect((await failureOf(found(shown('m3', 'IMAGE'), shown('m2', 'IMAGE')))).kind).toBe('unknown_outcome');
      });
    });

    test('an earlier post is not taken for it, even if the newest known one was deleted', async () => {
      const posts = { data: [listed('older', 'Hello', '2031-02-03T04:00:00+0000')] };
      await using meta = await inDoubt({ [list]: [old, posts], 'GET /c1': turnsOut });
      expect(await failureOf(publish(meta.run()))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
    });

    test('a post that is not listed yet stays in doubt until it is', async () => {
      const posts = { data: [listed('m2', 'Hello'), listed('old', 'Hello')] };
      await using meta = await inDoubt({ [list]: [old, old, posts], 'GET /c1': turnsOut });
      expect(await failureOf(publish(meta.run()))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
      expect(meta.steps.open()).toEqual(['post']);
      expect(await publish(meta.run())).toMatchObject({ id: 'm2' });
      expect(meta.count(send)).toBe(1);
    });

    test('a container that was not published is published by the next run', async () => {
      await using meta = await inDoubt({ [send]: ['hang up', { id: 'm1' }] });
      expect(await publish(meta.run())).toEqual(published);
      expect(meta.count(create)).toBe(1);
    });

    test('a post that was published despite an error is found', async () => {
      await using meta = await serve({
        [send]: [refusal(2)],
        [list]: [{ data: [] }, { data: [listed('m2', 'Hello')] }],
        'GET /c1': turnsOut,
      });
      expect(await publish(meta.run())).toMatchObject({ id: 'm2' });
    });

    test('an error counts if the container was not published', async () => {
      await using meta = await serve({ [send]: [refusal(100, 0, 'Bad text')] });
      expect(await failureOf(publish(meta.run()))).toMatchObject({ kind: 'rejected', reason: 'Bad text' });
      expect(meta.steps.open()).toEqual([]);
    });

    test('after one that expired, the second container is asked', async () => {
      await using meta = await inDoubt({
        'GET /c1': [status('EXPIRED')],
        'GET /c2': turnsOut,
        [list]: [{ data: [] }, { data: [] }, { data: [listed('m2', 'Hello')] }],
      });
      expect(await publish(meta.run(reconcilingRunner))).toMatchObject({ id: 'm2' });
      expect(meta.count(send)).toBe(1);
    });

    test('reconciling a container that was not published proves that nothing happened', async () => {
      await using meta = await inDoubt({});
      await expect(publish(meta.run(reconcilingRunner))).rejects.toBeInstanceOf(NothingFound);
      expect(meta.count(send)).toBe(1);
    });
  });

  test('an account that has used up its quota waits, and nothing is sent', async () => {
    await using meta = await serve({ [vendor.limit]: [quota(50), quota(49)] });
    expect(await failureOf(publish(meta.run()))).toMatchObject({
      kind: 'rate_limited',
      retryAfterSeconds: 3600,
      reason: '50 of 50 posts',
      mayHaveHappened: false,
    });
    expect(meta.count(send)).toBe(0);
    expect(await publish(meta.run())).toEqual(published);
  });

  test('a post whose address cannot be read counts as published', async () => {
    await using meta = await serve({ 'GET /m1': [{ status: 503, error: { message: 'Later' } }] });
    expect(await publish(meta.run())).toEqual({ id: 'm1', url: null });
  });
});
