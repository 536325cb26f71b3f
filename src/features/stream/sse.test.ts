import { describe, expect, test } from 'vitest';
import { finish } from '../../foundation/text/in-turns.ts';
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

test('one that leaves that much of many small batches unread is dropped as well', () => {
  const stream = openEventStream();
  const batch = [{ name: 'post', data: 'x'.repeat(1_000) }];
  for (let sent = 0; sent < 255; sent += 1) finish(stream.sendAll(batch, '7:7:'));
  expect(stream.body.destroyed).toBe(false);
  for (let sent = 0; sent < 10; sent += 1) finish(stream.sendAll(batch, '7:7:'));
  expect(stream.body.destroyed).toBe(true);
});

describe('a client that has missed much', () => {
  const missed = (count: number) => Array.from({ length: count }, () => ({ name: 'post', data: 'x'.repeat(1_000) }));

  test('gets all of it with the id at the end, and what happens while it reads', () => {
    const stream = openEventStream();
    expect(finish(stream.sendAll(missed(1_000), '7:7:'))).toBeGreaterThan(1_000_000);
    stream.send('post', { text: 'meanwhile' });
    stream.mark('8:8:');
    expect(stream.body.destroyed).toBe(false);
    const text = readAll(stream);
    expect(text.match(/event: post/g)).toHaveLength(1_001);
    expect(text.endsWith('id: 7:7:\n\nevent: post\ndata: {"text":"meanwhile"}\n\nid: 8:8:\n\n')).toBe(true);
  });

  test('is sent nothing of it if it is more than 2 MB', () => {
    const stream = openEventStream();
    expect(finish(stream.sendAll(missed(2_100), '7:7:'))).toBe(null);
    expect(readAll(stream)).toBe('retry: 2000\n\n');
  });

  test('is dropped if it reads nothing of it, by what happens then or by the heartbeats', () => {
    const [busy, idle] = [openEventStream(), openEventStream()];
    for (const { body, sendAll } of [busy, idle]) {
      finish(sendAll(missed(1_000), '7:7:'));
      expect(body.destroyed).toBe(false);
    }
    for (let sent = 0; sent < 2_000; sent += 1) busy.send('post', 'x'.repeat(1_000));
    idle.beat();
    idle.beat();
    expect([busy.body.destroyed, idle.body.destroyed]).toEqual([true, true]);
  });

  test('is kept while it reads slowly, whatever the heartbeats find unread', () => {
    const stream = openEventStream();
    finish(stream.sendAll(missed(1_000), '7:7:'));
    for (let beats = 0; beats < 5; beats += 1) {
      stream.beat();
      stream.body.read(100_000);
    }
    expect(stream.body.destroyed).toBe(false);
  });
});
