import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { flatWebp } from '../../../../test/support/files/bombs.ts';
import { bitmap, fixture, gappedWebm, sparse, stored } from '../../../../test/support/files/inspection.ts';
import { type MediaSource, openBytes } from './bytes.ts';
import { inspect } from './inspect.ts';
import type { InspectionError } from './inspection.ts';

test('images are decoded outside of this process, and idle decoders do not keep it running', () => {
  // In a separate process, because another test of this worker may have loaded sharp.
  const program = `
    import { inspect } from './inspect.ts';
    import { fixture, stored } from '../../../../test/support/files/inspection.ts';
    process.report.excludeNetwork = true;
    const loaded = () => process.report.getReport().sharedObjects.join().includes('libvips');
    const { width } = await inspect(stored(fixture('small.heic')));
    console.log(width, loaded());
  `;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['-e', program], options)).toBe('64 false\n');
});

test('a storage that does not answer ends in PROBE_TIMEOUT', async () => {
  const started = performance.now();
  await expect(inspect(hanging(), { timeoutMs: 50 })).rejects.toMatchObject({ code: 'PROBE_TIMEOUT' });
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('a storage that stops answering in the middle of a video ends in PROBE_TIMEOUT', async () => {
  await expect(inspect(stuck(), { timeoutMs: 500 })).rejects.toMatchObject({ code: 'PROBE_TIMEOUT' });
});

test('the signal of the caller aborts it too', async () => {
  const stop = new AbortController();
  const inspection = inspect(hanging(), { signal: stop.signal });
  stop.abort();
  await expect(inspection).rejects.toMatchObject({ code: 'PROBE_TIMEOUT' });
});

test('a third file of a user waits, then is refused as PROBE_BUSY; with a place free it is inspected', async () => {
  const stop = new AbortController();
  const two = Array.from({ length: 2 }, () => inspect(hanging(), { signal: stop.signal }).catch(() => 'ended'));
  const image = stored(bitmap(2, 2));
  await expect(inspect(image, { waitMs: 20 })).rejects.toMatchObject({ code: 'PROBE_BUSY' });
  expect(image.bytesRead).toBe(0);
  const waiting = inspect(image, { waitMs: 2_000 });
  stop.abort();
  expect(await waiting).toMatchObject({ format: 'bmp' });
  expect(await Promise.all(two)).toEqual(['ended', 'ended']);
});

test('one image of a user is decoded at a time, and those of others meanwhile', async () => {
  const inspectFor = (owner: string) =>
    inspect({ ...stored(flatWebp(4000, 3990)), owner }, { waitMs: 20 }).catch(({ code }: InspectionError) => code);
  const [first, second, other] = await Promise.all(['eve', 'eve', 'ann'].map(inspectFor));
  // Either of the two may come first.
  expect([first, second]).toContain('PROBE_BUSY');
  expect([first, second]).toContainEqual(expect.objectContaining({ width: 4000 }));
  expect(other).toMatchObject({ width: 4000 });
});

test('a user with one small file is never PROBE_BUSY for the files of others', async () => {
  const stop = new AbortController();
  const attackers = ['eve', 'mallory'].flatMap((owner) =>
    Array.from({ length: 6 }, () =>
      inspect({ ...hanging(), owner }, { signal: stop.signal, waitMs: 20 }).catch(({ code }: InspectionError) => code),
    ),
  );
  const image = inspect(stored(bitmap(1, 1)), { waitMs: 20 });
  const refused = await Promise.all(attackers.flatMap((attack, index) => (index % 6 < 2 ? [] : attack)));
  expect(new Set(refused)).toEqual(new Set(['PROBE_BUSY']));
  stop.abort();
  expect(await image).toMatchObject({ format: 'bmp' });
});

test('videos of others that hang do not delay an image', async () => {
  const ended: string[] = [];
  const videos = ['eve', 'mallory'].flatMap((owner) =>
    [1, 2].map(() =>
      inspect({ ...stuck(), owner }, { timeoutMs: 2_000, waitMs: 20 }).catch(({ code }: InspectionError) => {
        if (code === 'PROBE_TIMEOUT') ended.push(owner);
      }),
    ),
  );
  const image = inspect(stored(bitmap(1, 1))).then(() => ended.push('image'));
  await Promise.all([...videos, image]);
  expect([ended[0], ...ended.slice(1).sort()]).toEqual(['image', 'eve', 'mallory']);
});

test('after a video, the owner’s next one waits as long as the check took', async () => {
  await expect(inspect(stuck(), { timeoutMs: 500 })).rejects.toMatchObject({ code: 'PROBE_TIMEOUT' });
  const next = () => inspect(stored(fixture('mpeg4.avi')), { waitMs: 20 });
  await expect(next()).rejects.toMatchObject({ code: 'PROBE_BUSY' });
  expect(await inspect({ ...stored(fixture('mpeg4.avi')), owner: 'ann' })).toMatchObject({ kind: 'video' });
  expect(await inspect(stored(bitmap(1, 1)))).toMatchObject({ kind: 'image' });
  expect(await inspect(stored(fixture('mpeg4.avi')))).toMatchObject({ kind: 'video' });
});

test('many concurrent files are all inspected if they may wait', async () => {
  const files = Array.from({ length: 12 }, (_, index) => fixture(index % 2 ? 'small.heic' : 'faststart.mp4'));
  const found = await Promise.all(files.map((file) => inspect(stored(file), { waitMs: 15_000 })));
  expect(found.map(({ kind }) => kind)).toEqual(files.map((_, index) => (index % 2 ? 'image' : 'video')));
});

test.each([
  ['a video', gappedWebm()],
  ['an image', jpegHead()],
  ['a document', sparse([Buffer.from('%PDF-1.7'), 2_000_000])],
])('an error of the storage is not blamed on %s', async (_name, source) => {
  const reset = failing(source, () => Promise.reject(new Error('connection reset')));
  await expect(inspect(reset)).rejects.toThrow('connection reset');
});

test('a storage that returns fewer bytes than requested is an error of the storage', async () => {
  const short: MediaSource = { owner: 'ada', size: 1_000, read: async () => new Uint8Array(10) };
  await expect(inspect(short)).rejects.toThrow('asked for 1000 bytes, got 10');
});

test('a file that is read completely is read as a stream', async () => {
  const bytes = Uint8Array.from(fixture('small.heic'));
  const source = { ...stored(bytes), stream: () => new Blob([bytes]).stream() };
  expect(await inspect(source)).toMatchObject({ width: 64, height: 48 });
});

function jpegHead(): MediaSource {
  return sparse([Buffer.from('ffd8ffe000104a46494600', 'hex'), 2_000_000]);
}

function hanging(): MediaSource {
  return { owner: 'ada', size: 1_000, read: () => new Promise(() => {}) };
}

/** A video whose storage stops answering after the first block. */
const stuck = () => failing(gappedWebm(), () => new Promise(() => {}));

/** Returns only the first block. */
function failing(source: MediaSource, fail: () => Promise<Uint8Array>): MediaSource {
  return { ...source, read: (start, end) => (start === 0 ? source.read(start, end) : fail()) };
}

describe('a parser that reads the same block again and again', () => {
  const open = (signal: AbortSignal) => openBytes(stored(new Uint8Array(1_000)), signal);
  const readAll = async (signal: AbortSignal) => {
    const bytes = open(signal);
    for (let at = 0; at < 1_000; at += 1) await bytes.read(at, at + 1);
  };

  test('lets others have their turn', async () => {
    let turns = 0;
    setImmediate(() => {
      turns += 1;
    });
    await readAll(new AbortController().signal);
    expect(turns).toBe(1);
  });

  test('ends when it is aborted', async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    await expect(readAll(stop.signal)).rejects.toThrow('aborted');
  });
});
