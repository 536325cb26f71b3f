import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, timeOf } from '../action/release-post.mjs';
import { eventually } from './support/eventually.ts';
import {
  type CrierProcess,
  type DataFolder,
  dataFolder,
  root,
  runProgram,
  startCrier,
} from './support/processes/crier.ts';
import type { Answer } from './support/service/service.ts';

let folder: DataFolder;
let crier: CrierProcess;
beforeAll(async () => {
  folder = await dataFolder();
  crier = await startCrier({ folder });
});
afterAll(async () => {
  await crier.stop();
  await folder.remove();
});

let releases = 0;
const aRelease = (more: object = {}) => {
  releases += 1;
  return {
    id: releases,
    name: `Engine ${releases}`,
    tag_name: `v${releases}`,
    html_url: 'https://example.com/r',
    ...more,
  };
};

async function act(release: object, inputs: Record<string, string> = {}) {
  const event = join(folder.path, 'event.json');
  const output = join(folder.path, 'output.txt');
  await writeFile(event, JSON.stringify({ release, repository: { full_name: 'ada/engine' } }));
  await writeFile(output, '');
  const all = { url: crier.ready.url, 'api-key': key(), platforms: await mastodon(), text: '{release}', ...inputs };
  const env = Object.fromEntries(Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
  const ended = await runProgram([join(root, 'action/main.mjs')], {
    ...env,
    GITHUB_EVENT_PATH: event,
    GITHUB_OUTPUT: output,
  });
  const text = await readFile(output, 'utf8');
  const outputs = Object.fromEntries(
    [...text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  );
  return { code: ended.code, log: ended.stdout + ended.stderr, outputs };
}

const key = () => crier.ready.demo?.apiKey ?? '';
const read = async (path: string): Promise<Answer['body']> =>
  (await fetch(`${crier.ready.baseUrl}${path}`, { headers: { 'x-service-key': key() } })).json();
const connected = async (): Promise<string[]> =>
  (await read('/platform-connections')).connections.map(({ platformId }: { platformId: string }) => platformId);
const mastodon = async () => (await connected()).find((id) => id.startsWith('mastodon-')) ?? '';
const postsWith = async (text: string) =>
  (await read('/list-posts?limit=100')).posts.filter((post: Answer['body']) => JSON.stringify(post).includes(text));

test('a release is published, once also when the workflow is run again', async () => {
  const release = aRelease();
  const first = await act(release);
  expect([first.code, first.log]).toEqual([0, expect.stringContaining(release.name)]);
  expect(first.outputs).toMatchObject({ status: 'published-now', content: release.name, platforms: await mastodon() });
  const again = await act(release);
  expect(again.outputs['post-id']).toBe(first.outputs['post-id']);
  expect(await postsWith(`"${release.name}"`)).toHaveLength(1);
  await eventually(async () => expect((await read(`/get-post/${first.outputs['post-id']}`)).status).toBe('published'));
});

test('a run whose keys Crier has forgotten finds the posts of the first, and adds what is missing', async () => {
  const body = 'word '.repeat(200);
  const release = aRelease({ body, published_at: new Date().toISOString() });
  const inputs = { text: '{release} {notes}', truncate: 'true' };
  const first = await act(release, { ...inputs, platforms: await mastodon() });
  // Another id stands for another key.
  const again = await act({ ...release, id: release.id + 1_000_000 }, { ...inputs, platforms: 'all', draft: 'true' });
  expect([again.code, again.log]).toEqual([0, expect.stringContaining(`${await mastodon()} has this text in post`)]);
  expect(again.outputs['post-id']?.split(',')).toContain(first.outputs['post-id']);
  const targets = (await postsWith(release.name)).map(({ platforms }: Answer['body']) => platforms.length);
  expect(targets.toSorted()).toEqual([1, (await connected()).length - 1]);
});

test('a draft is stored as one, and a scheduled post has its time', async () => {
  const draft = await act(aRelease(), { draft: 'true' });
  expect((await read(`/get-post/${draft.outputs['post-id']}`)).status).toBe('draft');
  const published_at = new Date().toISOString();
  const later = await act(aRelease({ published_at }), { 'schedule-at': '+2h' });
  expect(later.outputs.status).toBe('scheduled');
  const { scheduledTime } = await read(`/get-post/${later.outputs['post-id']}`);
  expect(Date.parse(scheduledTime) - Date.parse(published_at)).toBe(2 * 3_600_000);
});

test('a dry run stores nothing, and fails if a network would refuse the post', async () => {
  const release = aRelease();
  const good = await act(release, { 'dry-run': 'true' });
  expect([good.code, good.outputs]).toEqual([0, expect.objectContaining({ status: 'dry-run', 'post-id': '' })]);
  const long = await act(aRelease({ body: 'long '.repeat(200) }), {
    'dry-run': 'true',
    text: '{notes}',
    'schedule-at': '+1d',
  });
  expect([long.code, long.log]).toEqual([1, expect.stringContaining('::error title=mastodon::')]);
  expect(await postsWith(`"${release.name}"`)).toEqual([]);
});

test('"all" posts to every account that works, with notes that fit everywhere', async () => {
  const text = '{notes} {url}';
  const { code, outputs, log } = await act(aRelease({ body: 'word '.repeat(200) }), {
    platforms: 'all',
    text,
    truncate: 'true',
    draft: 'true',
  });
  expect([code, log]).toEqual([0, expect.any(String)]);
  expect(outputs.platforms?.split(',')).toEqual(await connected());
  expect([...(outputs.content ?? '')].length).toBeLessThanOrEqual(280);
  expect(outputs.content).toMatch(/…\shttps:\/\/example\.com\/r$/);
});

test('a wrong key fails the step in one line, which does not contain the key', async () => {
  const wrong = 'sk_wrongwrong_00000000.0000000000000000000000000000';
  const { code, log } = await act(aRelease(), { 'api-key': wrong });
  expect(code).toBe(1);
  expect(log).toContain('::error title=Crier::INVALID_API_KEY: Invalid API key');
  expect(log.replace(`::add-mask::${wrong}`, '')).not.toContain(wrong);
});

describe('the text', () => {
  const release = {
    release: 'One',
    tag: 'v1',
    notes: '## New\n- **Fast** [docs](https://x.example)',
    url: 'https://u',
    repo: 'a/b',
  };

  test('has its placeholders filled in and no Markdown', () => {
    expect(contentOf('{release} {tag} {{repo}}\\n{notes}\n{url}', release, 500)).toBe(
      'One v1 a/b\nNew\n• Fast docs\nhttps://u',
    );
  });

  test('is cut as a whole only if it is too long without notes', () => {
    expect(contentOf('{notes}abcdefgh', release, 5)).toBe('abcd…');
  });
});

test('a time that cannot be read is refused with what to write', () => {
  expect(() => timeOf('soon', undefined, new Date())).toThrow('write 2027-03-04T09:00:00Z or +30m, +2h, +1d');
});
