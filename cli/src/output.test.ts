import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { CommandError } from './failures.ts';
import { openOutput } from './output.ts';

const clear = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\u200e\u200f\u061c';

function written(isJson: boolean, say: (out: ReturnType<typeof openOutput>) => void) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true }),
  );
  say(openOutput(isJson, { stdout: stdout!, stderr: stderr!, environment: {} }));
  return [stdout, stderr].map((stream) => stream!.read()?.toString() ?? '').join('');
}

test('no text of others controls the terminal, whichever way a command shows it', () => {
  expect(written(false, (out) => out.note(`Open ${clear}https://example.com\n  now`))).toBe(
    'Open [2J]0;title31mhttps://example.com\n  now\n',
  );
  expect(written(false, (out) => out.result('list', {}, [`${clear}a`]))).toBe('[2J]0;title31ma\n');
});

test('colours stay, and JSON is as it was', () => {
  expect(written(false, (out) => out.result('list', {}, [out.paint.red('a')]))).toBe('\u001b[31ma\u001b[0m\n');
  expect(JSON.parse(written(true, (out) => out.result('list', { text: clear }, []))).data).toEqual({ text: clear });
});

test('JSON writes what controls a terminal as escapes', () => {
  const shown = written(true, (out) => out.result('list', { text: clear }, []));
  expect(shown).toMatch(/^[\x20-\x7e]+\n$/);
  const error = new CommandError('failed', clear, { hint: clear, data: { text: clear } });
  expect(written(true, (out) => out.failure('list', error))).toMatch(/^[\x20-\x7e]+\n$/);
});

test('a message of others is one line of an error, whatever it contains', () => {
  const error = new CommandError('failed', 'No.\n✓ Published', { hint: 'Go\r\non\u2028then', lines: ['a\n  b'] });
  const shown = written(false, (out) => out.failure('post', error));
  expect(shown.split(/[\n\u2028]/)).toEqual([
    '\u001b[31mError:\u001b[0m No. ✓ Published',
    '  a b',
    '\u001b[90mGo on then\u001b[0m',
    '',
  ]);
});
