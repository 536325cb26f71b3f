import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { partsOf } from './multipart-parts.ts';

const headers = { 'content-type': 'multipart/form-data; boundary=b' };
const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, bytes: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.bin"\r\n\r\n${bytes}\r\n`;
const end = '--b--\r\n';
const form = field('a', 'one') + file('video', 'x\r\n--\r\n-') + field('b', 'Grüße') + end;

type Source = Parameters<typeof partsOf>[0];
const inChunks = (chunks: Iterable<Buffer>): Source => Object.assign(Readable.from(chunks), { headers });

/** Names and contents of all parts, in order. */
async function readAll(source: Source): Promise<string[]> {
  const seen: string[] = [];
  for await (const part of partsOf(source)) {
    const content = part.type === 'field' ? part.value : (await buffer(part.file)).toString();
    seen.push(`${part.name}: ${content}`);
  }
  return seen;
}

describe('the parts of a form', () => {
  test('are the same wherever its chunks begin', async () => {
    const bytes = Buffer.from(form);
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(await readAll(inChunks(chunks))).toEqual(['a: one', 'video: x\r\n--\r\n-', 'b: Grüße']);
    }
  });

  test('are none without a body', async () => {
    expect(await readAll(inChunks([]))).toEqual([]);
  });

  test.each([
    ['too many fields', `${field('a', 'x').repeat(21)}${end}`],
    ['too many files', `${file('a', 'x').repeat(6)}${end}`],
    ['too many parts', `--b\r\n\r\n\r\n`.repeat(26) + end],
    ['an end within a field', field('a', 'x').slice(0, -4)],
    ['an end within a file', file('video', 'x'.repeat(1000)).slice(0, -4)],
    ['an end within a header', '--b\r\ncontent-disposition: form'],
    ['no part at all', 'Once upon a time'],
  ])('are refused because of %s', async (_, body) => {
    await expect(readAll(inChunks([Buffer.from(body)]))).rejects.toThrow();
    await expect(readAll(inChunks([...Buffer.from(body)].map((byte) => Buffer.of(byte))))).rejects.toThrow();
  });

  test('before a limit are yielded, and nothing after it is parsed', async () => {
    const seen: string[] = [];
    const body = Buffer.from(field('sessionId', 'mine') + field('a', 'x').repeat(100_000) + end);
    const reading = (async () => {
      for await (const part of partsOf(inChunks([body]))) seen.push(part.name);
    })();
    await expect(reading).rejects.toThrow('too many parts');
    expect(seen).toEqual(['sessionId', ...Array(19).fill('a')]);
  });
});

describe('the connection of a form', () => {
  test.each([
    ['that is refused', field('a', 'x').repeat(20_000) + end, 'refused'],
    ['that is left early', form + 'x'.repeat(1_000_000), 'left'],
    ['with text after its end', form + 'x'.repeat(1_000_000), 'read'],
  ])('%s serves the next request', async (_, body, outcome) => {
    const server = createServer(async (raw, reply) => reply.end(await outcomeOf(raw)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set();
    for (const _ of [1, 2, 3]) {
      const sent = request({
        port: (server.address() as AddressInfo).port,
        method: 'POST',
        agent,
        headers: { ...headers, outcome },
      });
      const [[answer]] = await Promise.all([once(sent, 'response') as Promise<[IncomingMessage]>, sent.end(body)]);
      expect(await text(answer)).toBe(outcome);
      sockets.add(sent.socket);
    }
    expect(sockets.size).toBe(1);
    agent.destroy();
    server.close();
  });

  async function outcomeOf(raw: IncomingMessage): Promise<string> {
    try {
      if (raw.headers.outcome !== 'left') await readAll(raw);
      else for await (const _ of partsOf(raw)) return 'left';
      return 'read';
    } catch {
      return 'refused';
    }
  }

  test('that breaks ends the parts and the file', async () => {
    const broken: Source = Object.assign(new Readable({ read() {} }), { headers });
    broken.push(file('video', 'x'.repeat(1000)).slice(0, -10));
    const reading = readAll(broken);
    reading.catch(() => {});
    await once(broken, 'data');
    broken.destroy();
    await expect(reading).rejects.toThrow('The connection was closed');
  });
});
