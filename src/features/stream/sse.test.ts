import { expect, test } from 'vitest';
import { type EventStream, openEventStream } from './sse.ts';

function readAll({ body }: EventStream): string {
  let [text, chunk]: [string, Buffer | null] = ['', body.read()];
  for (; chunk !== null; chunk = body.read()) text += chunk;
  return text;
}

test('an event is a name and one line of JSON, and the id comes apart', () => {
  const stream = openEventStream();
  stream.send('post', { text: 'two\nlines' });
  stream.mark('7:7:');
  stream.beat();
  expect(readAll(stream)).toBe('retry: 2000\n\nevent: post\ndata: {"text":"two\\nlines"}\n\nid: 7:7:\n\n:\n\n');
});

test('a client that reads nothing between three heartbeats is dropped', () => {
  const stream = openEventStream();
  stream.beat();
  expect(stream.body.destroyed).toBe(false);
  stream.beat();
  expect(stream.body.destroyed).toBe(true);
});

test('a client that reads slowly is kept', () => {
  const stream = openEventStream();
  for (let beats = 0; beats < 5; beats += 1) {
    stream.beat();
    readAll(stream);
  }
  expect(stream.body.destroyed).toBe(false);
});

test('a client that leaves more than 256 kB unread is dropped', () => {
  const stream = openEventStream();
  const text = 'x'.repeat(300_000);
  stream.send('post', { text });
  expect(stream.body.destroyed).toBe(false);
  stream.send('post', {});
  expect(stream.body.destroyed).toBe(true);
});
