import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type UploadProgress, uploadProgress } from './progress.ts';

let board: UploadProgress;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  board = uploadProgress();
});
afterEach(() => vi.useRealTimers());

const percent = (value: number) => ({ event: 'progress', data: { percent: value } }) as const;
/** Everything in the stream's buffer. */
function textOf(stream: Readable): string {
  let text = '';
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += chunk;
  return text;
}

test('no timer is left after a listener disconnects or the stream ends', async () => {
  const [first, second] = [board.listen('ada', 'a'), board.listen('ada', 'a')];
  expect(vi.getTimerCount()).toBe(4);
  first.destroy();
  await new Promise((resolve) => first.once('close', resolve));
  expect(vi.getTimerCount()).toBe(2);
  board.report('a', { event: 'done', data: { mediaId: '1' } });
  expect(vi.getTimerCount()).toBe(0);
  expect(textOf(second)).toBe(': listening\n\nevent: done\ndata: {"mediaId":"1"}\n\n');
});

test('no event follows the last one, even if it was not read yet', () => {
  const stream = board.listen('ada', 'a');
  const failure = vi.fn();
  stream.on('error', failure);
  board.report('a', { event: 'error', data: { code: 'X' } });
  board.report('a', percent(5));
  vi.advanceTimersByTime(100_000);
  expect(textOf(stream)).toBe(': listening\n\nevent: error\ndata: {"code":"X"}\n\n');
  expect(failure).not.toHaveBeenCalled();
});

test('a session that has begun has no timeout', async () => {
  board.report('a', percent(1));
  const stream = board.listen('ada', 'a');
  await vi.advanceTimersByTimeAsync(3_600_000);
  board.report('a', percent(2));
  expect(textOf(stream)).toMatch(/percent":1\}\n\n(: still here\n\n)+event: progress\ndata: \{"percent":2\}\n\n$/);
});

test('only the last thousand sessions are cached', () => {
  board.report('first', percent(1));
  for (let number = 0; number < 1_000; number += 1) board.report(`${number}`, percent(2));
  expect(textOf(board.listen('ada', 'first'))).toBe(': listening\n\n');
  expect(textOf(board.listen('ada', '999'))).toContain('percent');
});

test('a user can have 20 streams, also of one long upload, and does not stop others', async () => {
  board.report('a', percent(1));
  const streams = Array.from({ length: 20 }, () => board.listen('ada', 'a'));
  expect(() => board.listen('ada', 'a')).toThrow('Too many event streams are open');
  expect(() => board.listen('ada', 'b')).toThrow('Too many event streams are open');
  expect(textOf(board.listen('eve', 'b'))).toBe(': listening\n\n');
  streams[0]!.destroy();
  await new Promise((resolve) => streams[0]!.once('close', resolve));
  expect(textOf(board.listen('ada', 'a'))).toContain('percent');
});
