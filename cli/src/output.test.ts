import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openOutput } from './output.ts';

const clear = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202e';

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
