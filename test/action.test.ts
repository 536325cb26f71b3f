import { readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
