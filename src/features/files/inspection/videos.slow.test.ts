import { describe, expect, test } from 'vitest';
import { endlessVideo, fragmentedVideo, longVideo } from '../../../../test/support/files/bombs.ts';
import { fixture, gappedWebm, sparse, stored } from '../../../../test/support/files/inspection.ts';
import { inspect } from './inspect.ts';
import { metadataOf } from './inspection.ts';

/** The processes for videos have a low priority, so a busy machine takes long. */
const patient = { timeoutMs: 120_000, waitMs: 120_000 };
const wide = { width: 320, height: 180, frameRate: 30 };

describe('metadata', () => {
  test.each([
    ['faststart.mp4', { mimeType: 'video/mp4', codecName: 'h264', durationSeconds: 2, ...wide }],
    ['moov-last.mp4', { mimeType: 'video/mp4', codecName: 'h264', durationSeconds: 2, ...wide }],
    ['fragmented.mp4', { mimeType: 'video/mp4', codecName: 'h264', durationSeconds: 2.067, ...wide }],
    ['h264.mkv', { mimeType: 'video/x-matroska', codecName: 'h264', durationSeconds: 2.023, ...wide }],
    ['vp8.webm', { mimeType: 'video/webm', codecName: 'vp8', durationSeconds: 2, ...wide }],
    ['vp9-live.webm', { mimeType: 'video/webm', codecName: 'vp9', durationSeconds: 2, ...wide }],
    ['mpeg4.avi', { mimeType: 'video/x-msvideo', codecName: 'mpeg4', durationSeconds: 2, width: 160, height: 90 }],
    ['rotated.mov', { mimeType: 'video/quicktime', codecName: 'h264', width: 180, height: 320, frameRate: 30 }],
  ])('%s', async (name, expected) => {
    expect(await inspect(stored(fixture(name)))).toMatchObject({ kind: 'video', ...expected });
  });

  test.each([
    ['a codec with a control character', 'a\0c1'],
    ['a codec in other letters', 'äöü1'],
  ])('%s has no name', async (_, code) => {
    const bytes = fixture('faststart.mp4');
    bytes.write(code, bytes.indexOf('avc1', bytes.indexOf('stsd')), 'latin1');
    expect(await inspect(stored(bytes))).toMatchObject({ kind: 'video', codecName: null, ...wide });
  });

  test('metadata of a video has the contract’s keys', async () => {
    const bytes = fixture('faststart.mp4');
    expect(metadataOf(await inspect(stored(bytes)))).toEqual({
      size: bytes.length,
      width: 320,
      height: 180,
      aspectRatio: 320 / 180,
      format: 'mp4',
      frameRate: 30,
      codecName: 'h264',
      bitRate: bytes.length * 4,
      duration: 2,
    });
  });
});

describe('bytes read', () => {
  const padding = 200 * 1_048_576;

  test('less than 2 MB of a 200 MB MP4 with its index at the end', async () => {
    const bytes = fixture('moov-last.mp4');
    const mdat = bytes.indexOf('mdat') - 4;
    const end = mdat + bytes.readUInt32BE(mdat);
    bytes.writeUInt32BE(end - mdat + padding, mdat);
    const source = sparse([bytes.subarray(0, end), padding, bytes.subarray(end)]);
    expect(await inspect(source)).toMatchObject({ size: bytes.length + padding, durationSeconds: 2, ...wide });
    expect(source.bytesRead).toBeLessThan(500_000);
  });

  test('less than 2 MB of a 200 MB MKV', async () => {
    const bytes = fixture('h264.mkv');
    const size = bytes.indexOf('18538067', 0, 'hex') + 4;
    const filler = Buffer.from('ec0100000000000000', 'hex');
    filler.writeUInt32BE(padding, 5);
    bytes.writeUInt32BE(bytes.readUInt32BE(size + 4) + filler.length + padding, size + 4);
    const source = sparse([bytes, filler, padding]);
    expect(await inspect(source)).toMatchObject({ mimeType: 'video/x-matroska', durationSeconds: 2.023, ...wide });
    expect(source.bytesRead).toBeLessThan(2_000_000);
  });

  test('a WebM whose frames begin after 200 MB is read there', async () => {
    expect(await inspect(gappedWebm())).toMatchObject({ mimeType: 'video/webm', frameRate: 30, width: 320 });
  });

  test('one block of a 200 MB AVI', async () => {
    const bytes = fixture('mpeg4.avi');
    const source = sparse([bytes, padding]);
    expect(await inspect(source)).toMatchObject({ durationSeconds: 2 });
    expect(source.bytesRead).toBeLessThan(70_000);
  });
});

describe('refused', () => {
  test('a file with audio only', async () => {
    const refused = inspect(stored(fixture('sound-only.mp4')));
    await expect(refused).rejects.toMatchObject({ code: 'PROBE_FAILED', message: 'The file has no video track.' });
  });

  test.each(['faststart.mp4', 'moov-last.mp4', 'rotated.mov', 'h264.mkv', 'vp8.webm', 'mpeg4.avi'])(
    '%s without its last tenth',
    async (name) => {
      const bytes = fixture(name);
      const refused = inspect(stored(bytes.subarray(0, bytes.length * 0.9)));
      await expect(refused).rejects.toMatchObject({
        code: 'PROBE_FAILED',
        message: expect.stringMatching(/incomplete/),
      });
    },
  );

  test.each([
    ['four billion frames', announcing()],
    ['four billion frames of no size', endlessVideo()],
  ])('an index that announces %s takes neither time nor memory of this process', async (_, bytes) => {
    let [longestPause, most, last] = [0, 0, performance.now()];
    const before = process.memoryUsage.rss();
    const pulse = setInterval(() => {
      longestPause = Math.max(longestPause, performance.now() - last);
      most = Math.max(most, process.memoryUsage.rss());
      last = performance.now();
    }, 5);
    const refused = inspect(stored(bytes), patient);
    await expect(refused).rejects.toMatchObject({ code: 'PROBE_FAILED' });
    clearInterval(pulse);
    expect(longestPause).toBeLessThan(2_000);
    expect(most - before).toBeLessThan(100 * 1_048_576);
  });

  test('an index that takes more than four seconds of a core is not read to its end', async () => {
    const refused = inspect(stored(fragmentedVideo(100, 300_000)), patient);
    const message = expect.stringMatching(/takes too much time or memory/);
    await expect(refused).rejects.toMatchObject({ code: 'PROBE_FAILED', message });
  });
});

test('the index of three hours at 60 frames per second is read', async () => {
  const source = stored(longVideo(3 * 3_600 * 60));
  expect(await inspect(source, patient)).toMatchObject({ durationSeconds: 2, width: 320, frameRate: 30 });
});

function announcing(): Buffer {
  const bytes = fixture('faststart.mp4');
  bytes.writeUInt32BE(0xffffffff, bytes.indexOf('stts') + 12);
  return bytes;
}
