import { readdir, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { serve } from '../../test/support/servers/local.ts';
import { Api } from '../src/api.gen.ts';
import { EventSequence } from '../src/events.ts';
import { Crier } from '../src/index.ts';

const statuses = [301, 302, 303, 307, 308];

/** A server that must receive nothing, and a record of what it received. */
async function aThief() {
  const heard: string[] = [];
  const server = await serve((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  return { ...server, heard };
}

const redirecting = (status: number, to: (path: string) => string) =>
  serve((request, response) => {
    request.resume();
    response.writeHead(status, { location: to(request.url ?? '') }).end();
  });

const failureOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => 'It succeeded.',
    (error) => error,
  );

type Method = (input: object) => PromiseLike<unknown> | EventSequence<unknown>;

/** Calls an operation, and reads a stream up to its first event. */
async function use(crier: Crier, name: string) {
  const result = (crier as unknown as Record<string, Method>)[name]!({});
  if (!(result instanceof EventSequence)) return result;
  for await (const event of result) return event;
}

const operations = Object.getOwnPropertyNames(Api.prototype).filter((name) => name !== 'constructor');

describe('a redirect to another origin', () => {
  test.each(statuses)(
    '%i is followed by no operation and no stream, and the error names the origin',
    async (status) => {
      expect(operations.length).toBeGreaterThan(100);
      await using thief = await aThief();
      await using service = await redirecting(status, (path) => thief.url + path);
      const keys = { apiKey: 'sk_secret', accessToken: 'token', headers: { cookie: 'session=secret' } };
      const crier = new Crier({ baseUrl: service.url, ...keys });
      for (const name of operations) {
        const error = await failureOf(use(crier, name));
        const message = expect.stringContaining(`redirects to ${thief.url}`);
        expect([name, error]).toEqual([name, expect.objectContaining({ code: 'REDIRECTED', status, message })]);
      }
      expect(thief.heard).toEqual([]);
    },
  );

  test('another port, scheme or host, and an address that fetch would open itself, are other origins', async () => {
    for (const location of ['https://127.0.0.1/', '//localhost/', 'file:///etc/passwd', 'data:application/json,{}']) {
      await using service = await redirecting(307, () => location);
      const error = await failureOf(new Crier({ baseUrl: service.url, apiKey: 'sk_x' }).listWebhooks());
      expect([location, error]).toEqual([location, expect.objectContaining({ code: 'REDIRECTED' })]);
    }
  });

  test('an upload goes to the address that the service named, without the key, and to no other', async () => {
    await using thief = await aThief();
    const stored: unknown[] = [];
    let isMoved = false;
    await using storage = await serve(async (request, response) => {
      stored.push([await text(request), JSON.stringify(request.headers).includes('sk_secret')]);
      response.writeHead(isMoved ? 307 : 200, isMoved ? { location: thief.url } : {}).end();
    });
    await using service = await serve((request, response) => {
      const address = { uploadUrl: `${storage.url}/put?signature=1`, mediaId: '1' };
      const answer = request.url?.endsWith('get-upload-url') ? address : { mediaFile: { status: 'ready' } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    const crier = new Crier({ baseUrl: service.url, apiKey: 'sk_secret', headers: { 'x-more': 'sk_secret' } });
    const upload = (onProgress?: () => void) =>
      crier.uploadMedia(new Blob(['bytes']), { postGroupId: '1', onProgress });
    expect(await upload()).toEqual({ status: 'ready' });
    expect(stored).toEqual([['bytes', false]]);
    isMoved = true;
    expect(await failureOf(upload())).toMatchObject({ code: 'REDIRECTED' });
    expect(await failureOf(upload(() => {}))).toMatchObject({ code: 'REDIRECTED' });
    expect(thief.heard).toEqual([]);
  });
});

describe('a redirect within the origin', () => {
  /** Redirects everything under /old to /new. */
  async function moved(status: number) {
    const heard: string[] = [];
    const server = await serve(async (request, response) => {
      if (request.url?.startsWith('/old')) {
        request.resume();
        response.writeHead(status, { location: request.url.replace('/old', '/new') }).end();
        return;
      }
      heard.push(`${request.method} ${request.headers['x-service-key']} ${await text(request)}`);
      response.setHeader('content-type', 'application/json').end('{}');
    });
    return { ...server, heard };
  }

  test.each(statuses)('%i of a read is followed', async (status) => {
    await using service = await moved(status);
    await new Crier({ baseUrl: `${service.url}/old`, apiKey: 'sk_x' }).listWebhooks();
    expect(service.heard).toEqual(['GET sk_x ']);
  });

  test.each([307, 308])('%i of a write is followed with its body', async (status) => {
    await using service = await moved(status);
    await new Crier({ baseUrl: `${service.url}/old`, apiKey: 'sk_x' }).createPost({ content: 'Hi', platforms: ['x'] });
    expect(service.heard).toEqual(['POST sk_x {"content":"Hi","platforms":["x"]}']);
  });

  test.each([301, 302, 303])('%i of a write is an error, because it would become a read', async (status) => {
    await using service = await moved(status);
    const crier = new Crier({ baseUrl: `${service.url}/old`, apiKey: 'sk_x' });
    const error = await failureOf(crier.createPost({ content: 'Hi', platforms: ['x'] }));
    expect(error).toMatchObject({ code: 'REDIRECTED', message: expect.stringContaining(`${service.url}/new/api/v1/`) });
    expect(service.heard).toEqual([]);
  });

  test('a redirect in circles ends', async () => {
    let requests = 0;
    await using service = await redirecting(302, (path) => {
      requests += 1;
      return path;
    });
    const error = await failureOf(new Crier({ baseUrl: service.url, apiKey: 'sk_x' }).listWebhooks());
    expect([error, requests]).toEqual([expect.objectContaining({ code: 'REDIRECTED' }), 6]);
  });
});

test('the client, the command line and the action call fetch in no other place', async () => {
  const callers = new Set<string>();
  for (const folder of ['../../client/src/', '../../cli/src/', '../../action/']) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    for (const name of await readdir(path, { recursive: true })) {
      if (!/\.(ts|mjs)$/.test(name) || name.endsWith('.test.ts')) continue;
      const source = await readFile(path + name, 'utf8');
      if (/(?<![\w#])fetch\(/.test(source)) callers.add(folder.replaceAll('../', '') + name);
    }
  }
  expect([...callers]).toEqual([
    // Passes the global function to the files below.
    'client/src/crier.ts',
    'client/src/same-origin.ts',
    // Uploads the bytes of a file; called by crier.ts above.
    'client/src/upload.ts',
    // Forwards webhooks with `redirect: manual`.
    'cli/src/commands/webhooks.ts',
    'action/service.mjs',
  ]);
});
