import { readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceAt } from '../action/service.mjs';
import { type TemporaryFolder, temporaryFolder } from './support/database/temporary-server.ts';
import { root, runProgram } from './support/processes/crier.ts';
import { serve } from './support/servers/local.ts';

/** The GitHub action against stub services. test/guides-action.slow.test.ts uses a real one. */

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function act(url: string, inputs: Record<string, string> = {}, release: object = {}) {
  const [event, output] = [join(folder.path, 'event.json'), join(folder.path, 'output.txt')];
  await writeFile(event, JSON.stringify({ release: { id: 1, ...release }, repository: { full_name: 'ada/engine' } }));
  await writeFile(output, '');
  const all = { url, 'api-key': 'sk_secret', platforms: 'mastodon-1', text: '{notes}', ...inputs };
  const env = Object.fromEntries(Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
  const files = { GITHUB_EVENT_PATH: event, GITHUB_OUTPUT: output };
  const ended = await runProgram([join(root, 'action/main.mjs')], { ...env, ...files });
  return { ...ended, outputs: outputsIn(await readFile(output, 'utf8')) };
}

/** Parses the file as the runner does: a name with a delimiter, then lines until the delimiter. */
function outputsIn(file: string) {
  const outputs: Record<string, string> = {};
  const lines = file.split(/\r\n|\n|\r/);
  for (let at = 0; at < lines.length; ) {
    const [, name, delimiter] = /^(.+?)<<(.+)$/.exec(lines[at++]!) ?? [];
    if (name === undefined) continue;
    const end = lines.indexOf(delimiter!, at);
    outputs[name] = lines.slice(at, end).join('\n');
    at = end + 1;
  }
  return outputs;
}

/** The commands that the runner executes: `::name …::` at the start of a line, or `##[name …]` anywhere in one. */
function commandsIn(...streams: string[]): string[] {
  const found: string[] = [];
  for (const stream of streams) {
    let token: string | null = null;
    for (const line of stream.split(/\r\n|\n|\r/)) {
      const [, name, rest] = /^\s*::([^\s:]+)((?: [^:]*)?::.*)$/.exec(line) ?? /##\[(\S+?)([ \]].*)$/.exec(line) ?? [];
      if (name === undefined) continue;
      if (token !== null) token = name === token ? null : token;
      else if (name === 'stop-commands') token = rest!.slice(2);
      else found.push(name + rest);
    }
    expect(token).toBeNull();
  }
  return found;
}

const created: RequestListener = (_, response) =>
  void response.setHeader('content-type', 'application/json').end('{ "postGroupId": "1" }');

test.each([
  ['a page of a proxy', 'text/html', '<!doctype html><title>Sign in</title>', 'does not return JSON'],
  ['JSON that is no object', 'application/json', 'null', 'does not return JSON'],
  ['JSON of another program', 'application/json', '{ "ok": true }', 'contains no post'],
])('%s with status 200 is a failure', async (_, type, body, message) => {
  await using service = await serve((_request, response) => void response.setHeader('content-type', type).end(body));
  const { code, stdout, outputs } = await act(service.url);
  expect([code, outputs]).toEqual([1, {}]);
  expect(stdout).toContain(message);
});

describe('what comes from outside gives the runner no commands', () => {
  const mask = ['add-mask::sk_secret'];
  const commands =
    '::add-mask::a\n  ::error::b\nc ##[add-mask]d\r::stop-commands::e\n::e::\n::set-output name=status::f';

  test('release notes', async () => {
    await using service = await serve(created);
    const { code, stdout, stderr, outputs } = await act(service.url, {}, { body: commands });
    expect([code, commandsIn(stdout, stderr)]).toEqual([0, mask]);
    // The log still shows the post.
    expect(stdout).toContain('  ::error::b\nc ##[add-mask]d');
    expect(outputs.content).toContain('::error::b');
  });

  test('release notes that would end an output', async () => {
    await using service = await serve(created);
    const delimiters = new Set<string>();
    for (let run = 0; run < 2; run += 1) {
      const { outputs } = await act(service.url, {}, { body: 'a\nstatus<<x\nhacked\nx\nb' });
      expect(outputs).toMatchObject({ status: 'published-now', content: 'a\nstatus<<x\nhacked\nx\nb' });
      delimiters.add(/^content<<(.+)$/m.exec(await readFile(join(folder.path, 'output.txt'), 'utf8'))![1]!);
    }
    // The delimiter is unpredictable.
    expect(delimiters.size).toBe(2);
  });

  test('errors, warnings and ids of the service', async () => {
    const answers: Record<string, object> = {
      '/api/v1/validate-post': {
        validation: { valid: false, errors: [{ platform: 'x::\n::add-mask::a,b', message: 'y\n::add-mask::c' }] },
      },
      '/api/v1/create-post': { postGroupId: '1\n::add-mask::d', warnings: [{ message: 'z\r::add-mask::e' }] },
    };
    await using service = await serve((request, response) => {
      const answer = answers[request.url ?? ''];
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { code: 'X\n::add-mask::f', error: 'w\n::add-mask::g' }));
    });
    const checked = await act(service.url, { 'dry-run': 'true' });
    expect(commandsIn(checked.stdout, checked.stderr)).toEqual([
      ...mask,
      'error title=x%3A%3A%0A%3A%3Aadd-mask%3A%3Aa%2Cb::y%0A::add-mask::c',
      'error title=Crier::The post is not valid.',
    ]);
    const sent = await act(service.url);
    expect(commandsIn(sent.stdout, sent.stderr)).toEqual([...mask, 'warning title=Crier::z%0D::add-mask::e']);
    expect(sent.outputs['post-id']).toBe('1\n::add-mask::d');
    const refused = await act(service.url, { platforms: 'all' });
    const error = 'error title=Crier::X%0A::add-mask::f: w%0A::add-mask::g';
    expect([refused.code, commandsIn(refused.stdout, refused.stderr)]).toEqual([1, [...mask, error]]);
  });

  test('inputs', async () => {
    const lines = 'a\n::add-mask::b';
    const { stdout, stderr } = await act(lines, { 'api-key': lines, 'schedule-at': lines });
    expect(commandsIn(stdout, stderr).map((command) => command.split('::')[0])).toEqual([
      'add-mask',
      'error title=Crier',
    ]);
  });
});

describe('redirects', () => {
  test.each([302, 307])('%i to another origin is not followed, and the error names it', async (status) => {
    const heard: unknown[] = [];
    await using other = await serve((request, response) => {
      heard.push([request.url, request.headers]);
      response.end('{}');
    });
    await using service = await serve((request, response) => {
      response.writeHead(status, { location: other.url + request.url }).end();
    });
    for (const inputs of [{}, { platforms: 'all' }, { 'dry-run': 'true' }, { truncate: 'true' }]) {
      const { code, stdout } = await act(service.url, inputs);
      expect([code, stdout]).toEqual([1, expect.stringContaining(`redirects to ${other.url}`)]);
    }
    expect(heard).toEqual([]);
  });

  test('a redirect within the origin is followed where the request stays the same', async () => {
    const heard: string[] = [];
    let status = 307;
    await using service = await serve(async (request, response) => {
      if (request.url?.startsWith('/old')) {
        response.writeHead(status, { location: request.url.replace('/old', '') }).end();
        return;
      }
      heard.push(`${request.method} ${request.url} ${await text(request)}`);
      created(request, response);
    });
    expect((await act(`${service.url}/old`, {}, { body: 'Hello' })).code).toBe(0);
    const posted = '{"content":"Hello","platforms":["mastodon-1"],"publishNow":true}';
    expect(heard).toEqual([`POST /api/v1/create-post ${posted}`]);
    status = 302;
    expect((await act(`${service.url}/old`)).code).toBe(1);
    expect(heard).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  /** Returns 429 once. Resolves with the time until the next request, or null if there was none. */
  async function pauseAfter(retryAfter: () => string) {
    const times: number[] = [];
    await using service = await serve((request, response) => {
      times.push(performance.now());
      if (times.length === 1) response.writeHead(429, { 'retry-after': retryAfter() }).end('{}');
      else created(request, response);
    });
    const { code } = await act(service.url);
    return { code, ms: times.length > 1 ? times[1]! - times[0]! : null };
  }

  test('may be seconds or a date, and a longer wait than a minute fails the step', async () => {
    const inMs = (ms: number) => () => new Date(Date.now() + ms).toUTCString();
    expect((await pauseAfter(() => '1')).ms).toBeGreaterThan(990);
    // The date has no milliseconds, so up to one second is lost.
    expect((await pauseAfter(inMs(3_000))).ms).toBeGreaterThan(1_900);
    expect(await pauseAfter(() => '3600')).toEqual({ code: 1, ms: null });
    expect(await pauseAfter(inMs(3_600_000))).toEqual({ code: 1, ms: null });
    // An unreadable value counts as absent.
    expect((await pauseAfter(() => 'soon')).ms).toBeGreaterThan(990);
  });
});

describe('a workflow that runs again', () => {
  interface Post {
    postGroupId: string;
    content: string;
    platforms: string[];
    createdAt: string;
  }

  /** A service with an account on each of these networks. It remembers posts, and keys until the test forgets them. */
  async function aCrier(...connected: string[]) {
    const crier = { connected, posts: [] as Post[], keys: new Map<string, { body: string; id: string }>() };
    const routes: Record<string, (body: string, query: URLSearchParams, key: string) => object> = {
      'platform-connections': () => ({
        connections: crier.connected.map((platformId) => ({ platformId, connectionStatus: 'active' })),
      }),
      'platform-limits': () => ({ platforms: { x: standard(20), mastodon: standard(50), bluesky: standard(30) } }),
      'list-posts': (_, query) => {
        const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
        const [start, end] = [(page - 1) * limit, page * limit];
        const posts = crier.posts.toReversed().map((post) => ({
          ...post,
          platforms: post.platforms.map((platformId) => ({ platformId })),
        }));
        return { posts: posts.slice(start, end), pagination: { hasNextPage: end < posts.length } };
      },
      'validate-post': (body) => {
        const { content, platforms } = JSON.parse(body);
        const refused = platforms.filter((id: string) => content.length > 20 && id.startsWith('x-'));
        const errors = refused.map((platform: string) => ({ platform, message: 'The text is too long.' }));
        return { validation: { valid: errors.length === 0, errors } };
      },
      'create-post': (body, _, key) => {
        const earlier = crier.keys.get(key);
        if (earlier && earlier.body !== body) return { code: 'IDEMPOTENCY_KEY_CONFLICT', error: 'Another body' };
        const postGroupId = earlier?.id ?? String(crier.posts.length + 1);
        crier.keys.set(key, { body, id: postGroupId });
        if (!earlier) crier.posts.push({ postGroupId, createdAt: new Date().toISOString(), ...JSON.parse(body) });
        return { postGroupId };
      },
    };
    const server = await serve(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://crier');
      const body = await text(request);
      const answer = routes[pathname.replace('/api/v1/', '')]!(
        body,
        searchParams,
        request.headers['idempotency-key'] as string,
      );
      response.writeHead('code' in answer ? 422 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
    return Object.assign(crier, server);
  }
  const standard = (length: number) => ({ characters: { standard: length } });
  const sentTo = ({ posts }: { posts: Post[] }) => posts.map(({ platforms }) => platforms.join()).sort();

  const all = { platforms: 'all' };
  const published_at = new Date(Date.now() - 3_600_000).toISOString();
  const release = { published_at, body: 'word '.repeat(30) };

  test('posts only to accounts that the release has not reached, with or without the keys of the first run', async () => {
    await using crier = await aCrier('mastodon-1', 'bluesky-2');
    const inputs = { ...all, truncate: 'true' };
    const first = await act(crier.url, inputs, release);
    expect([first.code, first.outputs['post-id'], first.outputs.platforms]).toEqual([0, '1,2', 'mastodon-1,bluesky-2']);
    expect(first.outputs.content).toHaveLength(30);

    // One account has expired, another one is new and makes the text shorter, and the order has changed.
    crier.connected = ['x-3', 'mastodon-1'];
    const second = await act(crier.url, inputs, release);
    expect([second.code, second.outputs['post-id'], second.outputs.status]).toEqual([0, '3,1', 'published-now']);
    expect(sentTo(crier)).toEqual(['bluesky-2', 'mastodon-1', 'x-3']);
    expect(second.stdout).toContain('::notice title=Crier::mastodon-1');

    // A day and many posts later.
    crier.keys.clear();
    const other = { content: 'Other', platforms: ['x-3'], createdAt: new Date().toISOString() };
    for (let made = 0; made < 250; made += 1) crier.posts.push({ ...other, postGroupId: `other ${made}` });
    crier.connected = ['bluesky-2', 'x-3', 'mastodon-1'];
    const third = await act(crier.url, inputs, release);
    expect([third.code, third.outputs['post-id']]).toEqual([0, '2,3,1']);
    expect(crier.posts).toHaveLength(253);
  });

  test('without a release date, each account has its own key', async () => {
    await using crier = await aCrier('mastodon-1', 'bluesky-2');
    await act(crier.url, all, { body: 'Hello' });
    crier.connected = ['x-3', 'bluesky-2'];
    expect((await act(crier.url, all, { body: 'Hello' })).outputs['post-id']).toBe('3,2');
    expect(sentTo(crier)).toEqual(['bluesky-2', 'mastodon-1', 'x-3']);
  });

  test('the same text from before the release is no post of it', async () => {
    await using crier = await aCrier('mastodon-1');
    const createdAt = new Date(Date.parse(published_at) - 3_600_000).toISOString();
    crier.posts.push({ postGroupId: '1', content: 'Hello', platforms: ['mastodon-1'], createdAt });
    expect((await act(crier.url, all, { published_at, body: 'Hello' })).outputs['post-id']).toBe('2');
  });

  test('a draft is one post for all accounts', async () => {
    await using crier = await aCrier('mastodon-1', 'bluesky-2');
    const inputs = { ...all, draft: 'true' };
    expect((await act(crier.url, inputs, { published_at, body: 'Hello' })).outputs['post-id']).toBe('1');
    crier.connected = ['x-3', 'bluesky-2', 'mastodon-1'];
    const again = await act(crier.url, inputs, { published_at, body: 'Hello' });
    expect([again.outputs['post-id'], again.outputs.status]).toEqual(['2,1', 'draft']);
    expect(sentTo(crier)).toEqual(['bluesky-2,mastodon-1', 'x-3']);
    expect((await act(crier.url, inputs, { published_at, body: 'Hello' })).outputs['post-id']).toBe('2,1');
    expect(crier.posts).toHaveLength(2);
  });

  test('a post that one network would reject goes to none', async () => {
    await using crier = await aCrier('mastodon-1', 'x-3');
    const { code, stdout } = await act(crier.url, all, release);
    expect([code, stdout]).toEqual([1, expect.stringContaining('::error title=x-3::The text is too long.')]);
    expect(crier.posts).toEqual([]);
  });
});

describe('a call that fails', () => {
  const keyed = { 'idempotency-key': 'release-1' };

  /** Answers with these, one for each request, and then with `{}`. Null is no answer. */
  async function answering(...answers: ([status: number, body?: object] | null)[]) {
    const keys: unknown[] = [];
    const server = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      const answer = answers[keys.length - 1];
      if (answer === null) return;
      const [status, body = {}] = answer ?? [200];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    return { ...server, keys };
  }

  test('is repeated with its key while the first request runs, and after 500', async () => {
    await using service = await answering([409, { code: 'IDEMPOTENCY_IN_FLIGHT' }], [500]);
    expect(await serviceAt(service.url, 'sk_x')('POST', '/create-post', {}, keyed)).toEqual({});
    expect(service.keys).toEqual(['release-1', 'release-1', 'release-1']);
  });

  test.each<[string, [number, object?]]>([
    ['500 without a key', [500]],
    ['another 409 without a key', [409, { code: 'POST_PUBLISH_IN_PROGRESS' }]],
  ])('is not repeated after %s', async (_, answer) => {
    await using service = await answering(answer);
    await expect(serviceAt(service.url, 'sk_x')('GET', '/list-posts')).rejects.toThrow();
    expect(service.keys).toHaveLength(1);
  });

  test('is repeated if the service does not answer in time, or not to the end', async () => {
    await using silent = await answering(null);
    expect(await serviceAt(silent.url, 'sk_x', 300)('POST', '/create-post', {}, keyed)).toEqual({});
    expect(silent.keys).toHaveLength(2);
    let requests = 0;
    await using halting = await serve((_, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      if (requests > 1) response.end('}');
    });
    expect(await serviceAt(halting.url, 'sk_x', 300)('POST', '/create-post', {}, keyed)).toEqual({});
  });
});
