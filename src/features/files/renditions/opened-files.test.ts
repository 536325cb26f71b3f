import { describe, expect, test, vi } from 'vitest';
import type { StoredFile } from '../../../foundation/storage/storage.ts';
import { attachedImages } from '../../../platforms/attached-images.ts';
import type { MediaRecord } from '../queries.ts';
import { openedFiles } from './opened-files.ts';

const megabyte = 1_048_576;
let made = 0;

interface FileOptions {
  owner: string;
  size?: number;
  key?: string;
  purpose?: string;
}
function aFile({ owner: ownerId, size = megabyte, key, purpose = 'post' }: FileOptions) {
  made += 1;
  return { ownerId, purpose, storageKey: key ?? `key ${made}`, metadata: { size } } as unknown as MediaRecord;
}

/** A target that sends these files. */
function aTarget(files: MediaRecord[], { onDisk = false } = {}) {
  const target = openedFiles(onDisk ? { served: {} as never } : {}, files);
  let open = 0;
  const file = async (): Promise<StoredFile> => {
    open += 1;
    return {
      blob: new Blob(),
      async [Symbol.asyncDispose]() {
        open -= 1;
      },
    };
  };
  const opening = target.open(file);
  opening.catch(() => {});
  return { target, file, opening, isOpen: () => open > 0, end: () => target[Symbol.asyncDispose]() };
}
type Target = ReturnType<typeof aTarget>;

const many = (count: number, make: () => Target) => Array.from({ length: count }, make);
const openOf = (targets: readonly Target[]) => targets.filter(({ isOpen }) => isOpen()).length;
const end = (targets: readonly Target[]) => Promise.all(targets.map((target) => target.end()));
/** Lets everything happen that waits for nothing. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('files that are copied to the disk', () => {
  test.each([
    ['32', 'small', megabyte, 32],
    ['4', 'large', 40 * megabyte, 4],
  ])(
    'an owner has at most %s %s ones at a time, others are not affected, and the rest follow',
    async (_, owner, size, most) => {
      const targets = many(most + 2, () => aTarget([aFile({ owner, size })]));
      const other = aTarget([aFile({ owner: `not ${owner}`, size })]);
      await settled();
      expect([openOf(targets), openOf([other])]).toEqual([most, 1]);
      await targets[0]!.end();
      await settled();
      expect(openOf(targets)).toBe(most);
      for (const { opening, end } of targets) await opening.then(end);
      expect(openOf(targets)).toBe(0);
      await other.end();
    },
  );

  test('of the same post take one turn, however many connections they go to', async () => {
    const posts = ['a', 'b', 'c', 'd', 'e'].map((key) =>
      many(50, () => aTarget([aFile({ owner: 'many', size: 40 * megabyte, key })])),
    );
    await settled();
    expect(posts.map(openOf)).toEqual([50, 50, 50, 50, 0]);
    await end(posts[0]!.slice(1));
    await settled();
    expect(openOf(posts[4]!)).toBe(0);
    await posts[0]![0]!.end();
    await settled();
    expect(posts.map(openOf)).toEqual([0, 50, 50, 50, 50]);
    await end(posts.flat());
  });

  test('of one target take one turn, and its cover none, so that targets do not wait for each other', async () => {
    const files = () => ['one', 'two'].map(() => aFile({ owner: 'several', size: 40 * megabyte }));
    const targets = many(5, () => aTarget(files()));
    for (const { target, file } of targets.slice(0, 4)) await target.open(file);
    const cover = aTarget([aFile({ owner: 'several', size: 40 * megabyte, purpose: attachedImages[0]!.purpose })]);
    await cover.opening;
    expect(openOf(targets)).toBe(4);
    await end([...targets, cover]);
  });

  test('are closed although the target ended while they were being opened', async () => {
    const targets = many(5, () => aTarget([aFile({ owner: 'early', size: 40 * megabyte })]));
    await end(targets.slice(0, 4));
    await targets[4]!.opening;
    await targets[4]!.end();
    expect(openOf(targets)).toBe(0);
  });

  test('that wait for a minute are sent later, which is no failed attempt', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const targets = many(5, () => aTarget([aFile({ owner: 'slow', size: 40 * megabyte })]));
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await expect(targets[4]!.opening).rejects.toMatchObject({
      kind: 'rate_limited',
      code: 'UNKNOWN_ERROR',
      retryAfterSeconds: 60,
      mayHaveHappened: false,
    });
    await end(targets);
    const next = aTarget([aFile({ owner: 'slow', size: 40 * megabyte })]);
    await next.opening;
    await next.end();
  });
});

test('files that are already on the disk are sent without turns', async () => {
  const targets = many(50, () => aTarget([aFile({ owner: 'disk', size: 40 * megabyte })], { onDisk: true }));
  await settled();
  expect(openOf(targets)).toBe(50);
});
