import { execFile } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Crier, CrierError } from '@crier/client';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import dashboard from '../../openapi-dashboard.json' with { type: 'json' };
import { signedHeaders } from '../../src/features/webhooks/delivery/sign.ts';
import { webhookEvents } from '../../src/foundation/events/catalogue.ts';
import { anImage } from '../../test/support/files/media.ts';
import { publishDue } from '../../test/support/publishing/publish-due.ts';
import { serve } from '../../test/support/servers/local.ts';
import { type MediaService, mediaService, signedIn } from '../../test/support/service/media-service.ts';
import type { TestUser } from '../../test/support/service/service.ts';
import { type ClientModule, packedClient } from './packed.ts';

/** All tests run the package as npm would install it, against the real service. */

const root = new URL('../../', import.meta.url).pathname;
let client: ClientModule;
let packed: Awaited<ReturnType<typeof packedClient>>;
let service: MediaService;
let base: string;
let ada: TestUser;
let crier: Crier;
let connection: string;

beforeAll(async () => {
  packed = await packedClient();
  client = await packed.load();
  service = await mediaService();
  base = service.reach(service.app.publicUrl);
});
afterAll(async () => {
  await service?.close();
  await packed?.remove();
});
beforeEach(async () => {
  ada = await service.aUser();
  connection = await ada.aConnection();
  crier = new client.Crier({ baseUrl: base, apiKey: ada.apiKey, fetch: reaching });
});

/** URLs in responses use the public name of the service, which does not resolve here. */
const reaching: typeof fetch = (url, init) => fetch(service.reach(String(url)), init);

const errorOf = (call: PromiseLike<unknown>): Promise<CrierError> =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error('It succeeded.')),
    (error) => error,
  );

describe('the package', () => {
  test('has a method for each operation of the API', () => {
    const paths = [...Object.values(openapi.paths), ...Object.values(dashboard.paths)];
    const ids = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(ids.length).toBeGreaterThan(100);
    for (const id of ids) expect(crier).toHaveProperty(id, expect.any(Function));
  });

  test('is smaller than 12 kB, adds less than 8 kB to a bundle, and nothing if nothing of it is used', async () => {
    const sizeOf = async (source: string) => {
      await writeFile(`${packed.project}/entry.js`, source);
      const bundle = await rolldown({ input: `${packed.project}/entry.js`, platform: 'browser' });
      const { output } = await bundle.generate({ minify: true });
      return gzipSync(output[0].code, { level: 9 }).length;
    };
    const names = (await readdir(`${packed.folder}/dist`)).filter((name) => name.endsWith('.js'));
    const code = await Promise.all(names.map((name) => readFile(`${packed.folder}/dist/${name}`)));
    expect(gzipSync(Buffer.concat(code), { level: 9 }).length).toBeLessThan(12_000);
    const whole = await sizeOf(`import * as client from '@crier/client'; globalThis.client = client;`);
    expect(whole).toBeLessThan(8_000);
    expect(whole).toBeGreaterThan(1_000);
    expect(await sizeOf(`import { Crier } from '@crier/client'; globalThis.x = 1;`)).toBeLessThan(100);
    const verifying = `import { verifyWebhook } from '@crier/client'; globalThis.x = verifyWebhook;`;
    expect(await sizeOf(verifying)).toBeLessThan(1_500);
  });

  test('its types refuse what the API refuses', async () => {
    await cp(new URL('types.ts', import.meta.url), `${packed.project}/types.ts`);
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] };
    const config = {
      compilerOptions: { ...options, lib: ['es2023', 'dom', 'dom.asynciterable'] },
      files: ['types.ts'],
    };
    await writeFile(`${packed.project}/tsconfig.json`, JSON.stringify(config));
    await writeFile(`${packed.project}/package.json`, '{"type":"module"}');
    const compiled = promisify(execFile)(`${root}node_modules/.bin/tsc`, ['-p', packed.project]);
    expect(await compiled.catch(({ stdout }) => stdout)).toMatchObject({ stdout: '' });
  });

  test('has the version of the service, no dependencies and its own readme', async () => {
    const manifest = JSON.parse(await readFile(`${packed.folder}/package.json`, 'utf8'));
    expect(manifest).toMatchObject({ version: openapi.info['x-crier-version'], sideEffects: false, type: 'module' });
    expect(Object.keys(manifest)).not.toContain('dependencies');
    expect(await readFile(`${packed.folder}/README.md`, 'utf8')).toContain('new Crier(');
  });
});

describe('calls', () => {
  test('path, query and body are one object, and the answer is the body', async () => {
    const { postGroupId } = await crier.createPost({ content: 'Hello', platforms: [connection] });
    await crier.updatePost({ postGroupId, content: 'Changed' });
    const post = await crier.getPost({ postGroupId });
    expect(post.posts[0]?.content).toBe('Changed');
    expect(await crier.deletePost({ postGroupId })).toEqual({ success: true });
    expect((await crier.listConnections()).connections).toHaveLength(1);
  });

  test('the address may end in /api/v1 or not, with or without a slash', async () => {
    for (const baseUrl of [`${base}/`, `${base}/api/v1`, `${base}/api/v1/`]) {
      expect(await new client.Crier({ baseUrl, apiKey: ada.apiKey }).listWebhooks()).toMatchObject({ webhooks: [] });
    }
  });

  test('a session works where a key does not', async () => {
    const { authorization = '' } = await signedIn(service, ada);
    const accessToken = authorization.replace('Bearer ', '');
    const signed = new client.Crier({ baseUrl: base, accessToken });
    expect((await signed.listApiKeys()).apiKeys).toHaveLength(1);
    expect(await errorOf(crier.listApiKeys())).toBeInstanceOf(client.AuthenticationError);
  });

  test('a list is a page if awaited, and every post if iterated', async () => {
    const wanted = Array.from({ length: 5 }, (_, n) => `Post ${n}`);
    for (const content of wanted) await crier.createPost({ content, platforms: [connection] });
    const page = await crier.listPosts({ limit: 2 });
    expect([page.posts.length, page.pagination.totalItems]).toEqual([2, 5]);
    const all: string[] = [];
    for await (const { content } of crier.listPosts({ limit: 2, sortOrder: 'asc' })) all.push(content);
    expect(all).toEqual(wanted);
    const logs = [];
    for await (const log of crier.getPostLogs({ postGroupId: page.posts[0]!.postGroupId })) logs.push(log);
    expect(logs).toEqual([]);
  });

  test('a picture is a Blob', async () => {
    const picture = await crier.getConnectionAvatar({ platformId: connection });
    expect([picture.type, picture.size > 100]).toEqual(['image/webp', true]);
    expect(await picture.slice(8, 12).text()).toBe('WEBP');
  });

  test('an import gives each post its own result', async () => {
    const { results } = await crier.importPosts({
      posts: [
        { content: 'One', platforms: [connection], idempotencyKey: '1' },
        { content: '', platforms: [connection], idempotencyKey: '2' },
      ],
    });
    expect(results.map(({ status }) => status)).toEqual([200, 400]);
  });
});

describe('errors', () => {
  test('have a class by their code, with what the service said', async () => {
    const invalid = await errorOf(crier.createPost({ platforms: [connection], content: '' }));
    expect(invalid).toBeInstanceOf(client.ValidationError);
    expect(invalid).toMatchObject({ code: 'CONTENT_REQUIRED', status: 400, requestId: expect.any(String) });
    const long = { content: 'x'.repeat(100_000), platforms: [connection], publishNow: true };
    const refused = await errorOf(crier.createPost(long));
    expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', validation: { valid: false } });
    expect(await errorOf(crier.getPost({ postGroupId: 'f'.repeat(24) }))).toBeInstanceOf(client.NotFoundError);
    const anonymous = await errorOf(new client.Crier({ baseUrl: base }).listPosts());
    expect(anonymous).toMatchObject({ name: 'AuthenticationError', hint: expect.stringContaining('x-service-key') });
    const body = { content: 'Mine', platforms: [connection] };
    await crier.createPost({ ...body, idempotencyKey: 'k' });
    const conflict = await errorOf(crier.createPost({ ...body, content: 'Other', idempotencyKey: 'k' }));
    expect(conflict).toMatchObject({ name: 'IdempotencyError', code: 'IDEMPOTENCY_KEY_CONFLICT' });
  });

  test('a service that is not there is a ConnectionError that names it', async () => {
    const nowhere = new client.Crier({ baseUrl: 'http://127.0.0.1:9', apiKey: 'sk_x', maxRetries: 0 });
    const error = await errorOf(nowhere.listWebhooks());
    expect(error).toBeInstanceOf(client.ConnectionError);
    expect(error).toMatchObject({ status: null, message: expect.stringContaining('http://127.0.0.1:9') });
  });
});

describe('retries', () => {
  interface Stage {
    crier: Crier;
    requests: { key: string | undefined; body: string }[];
    times: number[];
  }

  /** A service that sends the given responses, one for each request, and then succeeds. */
  async function against(
    answers: ('lost' | [number, object?, Record<string, string>?])[],
    work: (stage: Stage) => Promise<void>,
  ) {
    const [requests, times]: [Stage['requests'], number[]] = [[], []];
    const left = [...answers];
    await using server = await serve(async (request: IncomingMessage, response: ServerResponse) => {
      requests.push({ key: String(request.headers['idempotency-key']), body: await text(request) });
      times.push(performance.now());
      const [status, body, headers] = left[0] === 'lost' ? [0] : (left[0] ?? [200, { success: true }]);
      left.shift();
      if (status === 0) request.socket.destroy();
      else
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body ?? {}));
    });
    await work({ crier: new client.Crier({ baseUrl: server.url, apiKey: 'sk_x' }), requests, times });
  }

  const post = { content: 'Once', platforms: ['mastodon-1'] };

  test('a keyed write that lost its answer is repeated with the same key and the same bytes', async () => {
    await against(['lost', [500], [409, { code: 'IDEMPOTENCY_IN_FLIGHT' }]], async ({ crier, requests }) => {
      await crier.createPost(post);
      expect(requests).toHaveLength(4);
      expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(1);
      expect(requests[0]!.key).toMatch(/^[0-9a-f-]{36}$/);
      await crier.createPost(post);
      expect(requests[4]!.key).not.toBe(requests[0]!.key);
      await crier.createPost({ ...post, idempotencyKey: 'mine' });
      await crier.createPost(post, { idempotencyKey: 'mine' });
      expect(requests.slice(-2)).toMatchObject([{ key: 'mine' }, { key: 'mine' }]);
      expect(JSON.parse(requests.at(-2)!.body)).toEqual(post);
    });
  });

  test('a read is repeated after a lost connection, an import too', async () => {
    await against(['lost'], async ({ crier, requests }) => {
      await crier.listWebhooks();
      expect(requests).toHaveLength(2);
    });
    await against(['lost'], async ({ crier, requests }) => {
      await crier.importPosts({ posts: [{ ...post, idempotencyKey: '1' }] });
      expect(requests).toHaveLength(2);
    });
  });

  test('429 and 503 are repeated after the time that the service asks for', async () => {
    await against([[429, {}, { 'retry-after': '1' }], [503]], async ({ crier, requests, times }) => {
      await crier.createWebhook({ name: 'x', url: 'https://example.com', events: ['post.failed'] });
      expect(requests).toHaveLength(3);
      expect(times[1]! - times[0]!).toBeGreaterThan(990);
    });
  });

  const date = (ms: number) => new Date(Date.now() + ms).toUTCString();

  test('the time may be a date, on the clock of the service', async () => {
    const hour = 3_600_000;
    const answers: [number, object, Record<string, string>][] = [
      [429, {}, { 'retry-after': date(3_000) }],
      [503, {}, { 'retry-after': date(-hour + 2_000), date: date(-hour) }],
      [503, {}, { 'retry-after': date(-hour) }],
    ];
    await against(answers, async ({ crier, requests, times }) => {
      await crier.createPost(post);
      expect(requests).toHaveLength(4);
      // An HTTP date has no milliseconds.
      expect(times[1]! - times[0]!).toBeGreaterThan(1_900);
      expect(times[2]! - times[1]!).toBeGreaterThan(1_900);
    });
    const far = date(hour);
    await against([[429, {}, { 'retry-after': far }]], async ({ crier, requests }) => {
      const { retryAfterSeconds } = await errorOf(crier.createPost(post));
      expect([requests.length, Math.round(retryAfterSeconds! / 60)]).toEqual([1, 60]);
    });
  });

  test.each<[string, 'lost' | [number, object?, Record<string, string>?]]>([
    ['a write without a key that lost its answer', 'lost'],
    ['500 without a key', [500]],
    ['400', [400, { code: 'INVALID_REQUEST' }]],
    ['404', [404]],
    ['another 409', [409, { code: 'WEBHOOK_INACTIVE' }]],
    ['429 with a wait of an hour', [429, {}, { 'retry-after': '3600' }]],
    ['429 with a date in an hour', [429, {}, { 'retry-after': date(3_600_000) }]],
  ])('%s is not repeated', async (_, answer) => {
    await against([answer], async ({ crier, requests }) => {
      await errorOf(crier.createWebhook({ name: 'x', url: 'https://example.com', events: ['post.failed'] }));
      expect(requests).toHaveLength(1);
    });
  });

  test('500 on a read and 422 on a keyed write are not repeated, and retries end', async () => {
    await against([[500]], async ({ crier, requests }) => {
      await errorOf(crier.listWebhooks());
      expect(requests).toHaveLength(1);
    });
    await against([[422]], async ({ crier, requests }) => {
      await errorOf(crier.createPost(post));
      expect(requests).toHaveLength(1);
    });
    await against([[503], [503], [503], [503], [503]], async ({ crier, requests }) => {
      expect(await errorOf(crier.createPost(post))).toBeInstanceOf(client.ServiceError);
      expect(requests).toHaveLength(4);
    });
  });

  test('a signal ends a call, and the wait for the next attempt', async () => {
    await against([[503, {}, { 'retry-after': '30' }]], async ({ crier }) => {
      const reason = new Error('enough');
      const controller = new AbortController();
      const call = errorOf(crier.createPost(post, { signal: controller.signal }));
      setTimeout(() => controller.abort(reason), 300);
      expect(await call).toBe(reason);
    });
  });
});

describe('uploadMedia', () => {
  const draft = () => crier.createPost({ content: 'With a picture', platforms: [connection] });

  test('sends a Blob, the bytes or a file by its path, and tells the progress', async () => {
    const { bytes } = await anImage({ type: 'png' });
    const path = `${packed.project}/a photo.png`;
    await writeFile(path, bytes);
    const sources = [new Blob([Uint8Array.from(bytes)], { type: 'image/png' }), Uint8Array.from(bytes), path];
    for (const source of sources) {
      const { postGroupId } = await draft();
      const progress: { loaded: number; total: number }[] = [];
      const media = await crier.uploadMedia(source, {
        postGroupId,
        altText: 'A square',
        onProgress: (each) => void progress.push(each),
        ...(typeof source !== 'string' && { fileName: 'photo.png' }),
      });
      expect(media).toMatchObject({ status: 'ready', altText: 'A square', metadata: { size: bytes.length } });
      expect(progress[0]).toEqual({ loaded: 0, total: bytes.length });
      expect(progress.at(-1)).toEqual({ loaded: bytes.length, total: bytes.length });
    }
  });

  test('without onProgress, and after a connection that was lost on the way', async () => {
    const { bytes } = await anImage({ type: 'png' });
    const { postGroupId } = await draft();
    let puts = 0;
    const flaky: typeof fetch = (url, init) => {
      if (init?.method === 'PUT') puts += 1;
      return init?.method === 'PUT' && puts === 1 ? Promise.reject(new TypeError('fetch failed')) : reaching(url, init);
    };
    const unlucky = new client.Crier({ baseUrl: base, apiKey: ada.apiKey, fetch: flaky });
    const file = new File([Uint8Array.from(bytes)], 'a.png', { type: 'image/png' });
    expect(await unlucky.uploadMedia(file, { postGroupId })).toMatchObject({ status: 'ready' });
    expect(puts).toBe(2);
  });

  test('sends to S3 too, which wants to know the length before', async () => {
    const onS3 = await mediaService('s3');
    const bob = await onS3.aUser();
    const { bytes } = await anImage({ type: 'png' });
    const toS3 = new client.Crier({ baseUrl: onS3.reach(onS3.app.publicUrl), apiKey: bob.apiKey });
    const file = new File([Uint8Array.from(bytes)], 'a.png', { type: 'image/png' });
    const progress: number[] = [];
    const media = await toS3.uploadMedia(file, {
      postGroupId: await onS3.aDraft(bob),
      onProgress: ({ loaded }) => void progress.push(loaded),
    });
    expect([media.status, progress.at(-1)]).toEqual(['ready', bytes.length]);
    await onS3.close();
  });

  test('a signal ends it', async () => {
    const { postGroupId } = await draft();
    const signal = AbortSignal.abort(new Error('changed my mind'));
    const upload = crier.uploadMedia(new Blob(['x'], { type: 'image/png' }), { postGroupId, signal });
    expect(await errorOf(upload)).toMatchObject({ message: 'changed my mind' });
  });
});

describe('waitUntilPublished', () => {
  test('resolves with the post once it is published', async () => {
    const { postGroupId } = await crier.createPost({ content: 'Now', platforms: [connection], publishNow: true });
    const waiting = crier.waitUntilPublished(postGroupId);
    await publishDue(service.app);
    expect(await waiting).toMatchObject({ postGroupId, status: 'published', posts: [{ status: 'published' }] });
  });

  test('gives up after its time', async () => {
    const { postGroupId } = await crier.createPost({ content: 'A draft', platforms: [connection] });
    const error = await errorOf(crier.waitUntilPublished(postGroupId, { timeoutMs: 300 }));
    expect(error).toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('still draft') });
  });
});

describe('streamEvents', () => {
  test('goes on after a lost connection without missing anything', async () => {
    const created: string[] = [];
    let opened = 0;
    /** Cuts off the first stream shortly after it starts. */
    const cutting: typeof fetch = async (url, init) => {
      const response = await reaching(url, init);
      opened += 1;
      if (opened > 1) return response;
      const first = await response.body!.getReader().read();
      created.push((await crier.createPost({ content: 'Missed', platforms: [connection] })).postGroupId);
      return new Response(new Blob([first.value as Uint8Array<ArrayBuffer>]).stream(), { headers: response.headers });
    };
    const listening = new client.Crier({ baseUrl: base, apiKey: ada.apiKey, fetch: cutting });
    const seen: string[] = [];
    for await (const event of listening.streamEvents({ events: 'post' })) {
      if (event.event === 'ready' && opened === 2)
        created.push((await crier.createPost({ content: 'Live', platforms: [connection] })).postGroupId);
      if (event.event === 'post') seen.push(event.data.postGroupId);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(created);
  });

  test('a refusal ends it, and so does a signal', async () => {
    const refused = async () => {
      for await (const _ of crier.streamEvents({ events: 'nonsense' }));
    };
    expect(await errorOf(refused())).toMatchObject({ code: 'STREAM_EVENTS_UNKNOWN' });
    const controller = new AbortController();
    const aborted = async () => {
      for await (const _ of crier.streamEvents({}, { signal: controller.signal })) controller.abort(new Error('done'));
    };
    expect(await errorOf(aborted())).toMatchObject({ message: 'done' });
  });
});

describe('verifyWebhook', () => {
  const secret = 'ab'.repeat(32);
  const delivery = (now = new Date(), key = secret) => {
    const { body, type } = webhookEvents.postPublished.emit(publishedData, now);
    return { body, headers: signedHeaders({ id: 'delivery-1', event: type, body, secret: key, now }) };
  };
  const publishedData = {
    postId: '1',
    postGroupId: '2',
    platform: 'mastodon',
    platformId: '3',
    postedId: '4',
    permalink: 'https://example.com/ü',
    publishedAt: '2027-03-04T05:06:07.089Z',
  };

  test('returns the event of a signed request, whatever form body and headers have', async () => {
    const { body, headers } = delivery();
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const given of [headers, new Headers(headers), upper]) {
      expect(await client.verifyWebhook(body, given, secret)).toEqual(JSON.parse(body));
      expect(await client.verifyWebhook(new TextEncoder().encode(body), given, secret)).toEqual(JSON.parse(body));
    }
    const rotated = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` };
    expect(await client.verifyWebhook(body, rotated, secret)).toMatchObject({ event: 'post.published' });
  });

  test('throws for everything else', async () => {
    const { body, headers } = delivery();
    const [old, ahead] = [-301_000, 301_000].map((ms) => delivery(new Date(Date.now() + ms)));
    const wrong: [string, Record<string, string>, string][] = [
      [`${body} `, headers, secret],
      [body, headers, 'another'],
      [body, { ...headers, 'webhook-id': 'another' }, secret],
      [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, secret],
      [body, { ...headers, 'webhook-timestamp': 'soon' }, secret],
      [body, { ...headers, 'webhook-signature': 'v1,%%%' }, secret],
      [body, {}, secret],
      [old!.body, old!.headers, secret],
      [ahead!.body, ahead!.headers, secret],
    ];
    for (const [given, by, key] of wrong) {
      await expect(client.verifyWebhook(given, by, key)).rejects.toBeInstanceOf(client.WebhookVerificationError);
    }
  });
});
