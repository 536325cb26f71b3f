import { describe, expect, test } from 'vitest';
import { fixture, gappedWebm, sparse, stored } from '../../../../test/support/files/inspection.ts';
import { inspect } from './inspect.ts';
import { metadataOf } from './inspection.ts';

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

  test('an index that announces four billion frames ends only its own thread', async () => {
    const bytes = fixture('faststart.mp4');
    bytes.writeUInt32BE(0xffffffff, bytes.indexOf('stts') + 12);
    let longestPause = 0;
    let last = performance.now();
    const pulse = setInterval(() => {
      longestPause = Math.max(longestPause, performance.now() - last);
      last = performance.now();
    }, 5);
    const refused = inspect(stored(bytes));
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^PROBE_(FAILED|TIMEOUT)$/) });
    clearInterval(pulse);
    expect(longestPause).toBeLessThan(2_000);
  });
});
