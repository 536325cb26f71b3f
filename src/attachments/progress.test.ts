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
  const [first, second] = [board.listen('a'), board.listen('a')];
  expect(vi.getTimerCount()).toBe(4);
  first.destroy();
  await new Promise((resolve) => first.once('close', resolve));
  expect(vi.getTimerCount()).toBe(2);
  board.report('a', { event: 'done', data: { mediaId: '1' } });
  expect(vi.getTimerCount()).toBe(0);
  expect(textOf(second)).toBe(': listening\n\nevent: done\ndata: {"mediaId":"1"}\n\n');
});

test('no event follows the last one, even if it was not read yet', () => {
  const stream = board.listen('a');
  const failure = vi.fn();
  stream.on('error', failure);
  board.report('a', { event: 'error', data: { code: 'X' } });
  board.report('a', percent(5));
  vi.advanceTimersByTime(100_000);
  expect(textOf(stream)).toBe(': listening\n\nevent: error\ndata: {"code":"X"}\n\n');
  expect(failure).not.toHaveBeenCalled();
});

test('a session that has begun has no timeout', () => {
  board.report('a', percent(1));
  const stream = board.listen('a');
  vi.advanceTimersByTime(3_600_000);
  board.report('a', percent(2));
  expect(textOf(stream)).toMatch(/percent":1\}\n\n(: still here\n\n)+event: progress\ndata: \{"percent":2\}\n\n$/);
});

test('only the last thousand sessions are cached', () => {
  board.report('first', percent(1));
  for (let number = 0; number < 1_000; number += 1) board.report(`${number}`, percent(2));
  expect(textOf(board.listen('first'))).toBe(': listening\n\n');
  expect(textOf(board.listen('999'))).toContain('percent');
});
