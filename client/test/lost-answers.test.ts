import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { serve } from '../../test/support/servers/local.ts';
import { Crier } from '../src/index.ts';

type Answer = (response: ServerResponse) => void;

const refused: Answer = (response) =>
  void response.writeHead(409, { 'content-type': 'application/json' }).end('{ "code": "FILE_ALREADY_UPLOADED" }');
const withStatus =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status).end();

describe('an upload whose answer was lost', () => {
  /** A storage that takes each file once. `first` answers the first upload. */
  async function aStorage(first: Answer) {
    const stored: string[] = [];
    const calls: string[] = [];
    const server = await serve(async (request, response) => {
      const path = request.url!.replace('/api/v1/', '');
      calls.push(path);
      const body = await text(request);
      if (path === '/put') {
        stored.push(body);
        return (stored.length === 1 ? first : refused)(response);
      }
      const answer = { uploadUrl: `http://${request.headers.host}/put`, mediaId: '1', mediaFile: { status: 'ready' } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    return { ...server, stored, calls };
  }

  test.each<[string, Answer]>([
    ['with the connection', (response) => void response.socket!.destroy()],
    [
      'in its body',
      (response) => void response.writeHead(200, { 'content-length': '9' }).write('x', () => response.destroy()),
    ],
    ['behind a proxy (502)', withStatus(502)],
    ['behind a proxy (504)', withStatus(504)],
  ])('%s is completed, although the service refuses to take the file again', async (_, first) => {
    await using storage = await aStorage(first);
    const crier = new Crier({ baseUrl: storage.url, apiKey: 'sk_x' });
    for (const onProgress of [undefined, () => {}]) {
      storage.stored.length = 0;
      const upload = crier.uploadMedia(new Blob(['bytes']), { postGroupId: '1', onProgress });
      expect(await upload).toEqual({ status: 'ready' });
      expect(storage.stored).toEqual(['bytes', 'bytes']);
    }
  });

  test.each<[string, Answer, number]>([
    ['the first upload', refused, 1],
    ['an upload after one that did nothing', withStatus(503), 2],
  ])('a refusal of %s is an error', async (_, first, uploads) => {
    await using storage = await aStorage(first);
    const crier = new Crier({ baseUrl: storage.url, apiKey: 'sk_x' });
    const failed = expect(crier.uploadMedia(new Blob(['bytes']), { postGroupId: '1' })).rejects;
    await failed.toMatchObject({ name: 'ConflictError', code: 'FILE_ALREADY_UPLOADED' });
    expect([storage.stored.length, storage.calls.includes('complete-media')]).toEqual([uploads, false]);
  });
});

describe('an endless stream', () => {
  /** Answers the first request, and then with a stream. Collects the time between the requests. */
  async function aService(first: Answer) {
    const times: number[] = [];
    const server = await serve((_request, response) => {
      times.push(performance.now());
      if (times.length === 1) return first(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ready\ndata: {}\n\n');
    });
    return { ...server, times };
  }

  async function firstEvent(url: string) {
    // A client without retries.
    for await (const { event } of new Crier({ baseUrl: url, apiKey: 'sk_x', maxRetries: 0 }).streamEvents())
      return event;
  }

  test.each([429, 502, 503, 504])('goes on after %i', async (status) => {
    await using service = await aService(withStatus(status));
    expect(await firstEvent(service.url)).toBe('ready');
  });

  test('waits as long as the service asks for', async () => {
    await using service = await aService((response) => void response.writeHead(503, { 'retry-after': '3' }).end());
    expect(await firstEvent(service.url)).toBe('ready');
    expect(service.times[1]! - service.times[0]!).toBeGreaterThan(2_990);
  });

  test.each([400, 401, 403, 404, 500])('ends after %i', async (status) => {
    await using service = await aService(withStatus(status));
    await expect(firstEvent(service.url)).rejects.toMatchObject({ status });
    expect(service.times).toHaveLength(1);
  });
});
