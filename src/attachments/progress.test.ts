import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ProgressBoard, progressBoard } from './progress.ts';

let board: ProgressBoard;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  board = progressBoard();
});
afterEach(() => vi.useRealTimers());

const percent = (value: number) => ({ event: 'progress', data: { percent: value } }) as const;
/** All that it holds now. */
function textOf(stream: Readable): string {
  let text = '';
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += chunk;
  return text;
}

test('a listener who hangs up leaves no timer behind, nor one who heard the end', async () => {
  const [first, second] = [board.listen('a'), board.listen('a')];
  expect(vi.getTimerCount()).toBe(4);
  first.destroy();
  await new Promise((resolve) => first.once('close', resolve));
  expect(vi.getTimerCount()).toBe(2);
  board.report('a', { event: 'done', data: { mediaId: '1' } });
  expect(vi.getTimerCount()).toBe(0);
  expect(textOf(second)).toBe(': listening\n\nevent: done\ndata: {"mediaId":"1"}\n\n');
});

test('nothing is told after the end, not even to who has not read it yet', () => {
  const stream = board.listen('a');
  const failure = vi.fn();
  stream.on('error', failure);
  board.report('a', { event: 'error', data: { code: 'X' } });
  board.report('a', percent(5));
  vi.advanceTimersByTime(100_000);
  expect(textOf(stream)).toBe(': listening\n\nevent: error\ndata: {"code":"X"}\n\n');
  expect(failure).not.toHaveBeenCalled();
});

test('a session that has begun is waited for as long as it takes', () => {
  board.report('a', percent(1));
  const stream = board.listen('a');
  vi.advanceTimersByTime(3_600_000);
  board.report('a', percent(2));
  expect(textOf(stream)).toMatch(/percent":1\}\n\n(: still here\n\n)+event: progress\ndata: \{"percent":2\}\n\n$/);
});

test('only the last thousand sessions are remembered', () => {
  board.report('first', percent(1));
  for (let number = 0; number < 1_000; number += 1) board.report(`${number}`, percent(2));
  expect(textOf(board.listen('first'))).toBe(': listening\n\n');
  expect(textOf(board.listen('999'))).toContain('percent');
});
