import { truncate, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../test/support/files/media.ts';
import { publishDue } from '../../test/support/publishing/publish-due.ts';
import { type MediaWeb, mediaWeb } from '../../test/support/servers/media-web.ts';
import { type CliStage, cliStage } from './stage.ts';

let stage: CliStage;
let mastodon: string;
let web: MediaWeb;

beforeAll(async () => {
  web = await mediaWeb();
  stage = await cliStage({ environment: { EGRESS_ALLOW: web.place } });
});
afterAll(async () => {
  await stage?.close();
  await web?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  stage.ada = await stage.service.aUser();
  mastodon = await stage.ada.aConnection();
});

const stored = async (postGroupId: string) => (await stage.ada.call('GET', `/get-post/${postGroupId}`)).body;
const nobody = 'f'.repeat(24);

describe('post', () => {
  test('publishes a text now, and --wait tells where it is', async () => {
    const outcome = await stage.whilePublishing(stage.run(['post', 'Hello', '--to', 'mastodon', '--wait', '--json']));
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.json).toMatchObject({ ok: true, command: 'post', data: { status: 'published' } });
    expect(outcome.json.data.posts[0]).toMatchObject({ content: 'Hello', permalink: expect.stringContaining('http') });
  });

  test('--wait ends with 1 and says which network failed and why', async () => {
    const broken = await stage.ada.aConnection('telegram');
    const run = stage.run(['post', 'Hello', '--to', `mastodon,${broken}`, '--wait', '--json']);
    const { code, json } = await stage.whilePublishing(run);
    expect([code, json.ok, json.error.code]).toEqual([1, false, 'POST_PARTIALLY_PUBLISHED']);
    expect(json.error.hint).toContain('crier logs');
    expect(json.data.status).toBe('partially_published');
  });

  test('without --wait it names the networks that the post goes to, and the accounts if a network has several', async () => {
    const bluesky = await stage.ada.aConnection('bluesky');
    const post = async (...args: string[]) => (await stage.run(['post', 'x', ...args])).stdout;
    const id = '[0-9a-f]{24}\n$';
    expect(await post('--to', 'mastodon,bluesky')).toMatch(RegExp(`^✓ Publishing to mastodon, bluesky: ${id}`));
    expect(await post('--to', 'bluesky', '--draft')).toMatch(RegExp(`^✓ Stored as a draft for bluesky: ${id}`));
    const later = await post('--to', 'bluesky,mastodon', '--at', 'in 2 hours');
    expect(later).toMatch(RegExp(`^✓ Scheduled for bluesky, mastodon .*: ${id}`));
    const second = await stage.ada.aConnection('bluesky');
    const several = await post('--to', `${bluesky},${second},mastodon`, '--draft');
    expect(several).toContain(`for ${bluesky}, ${second}, mastodon: `);
  });

  test('the text comes from a file, a pipe or -', async () => {
    await writeFile(`${stage.folder}/text.md`, 'From a file\n');
    const file = await stage.run(['post', '--file', 'text.md', '--to', 'all', '--draft', '--json']);
    const pipe = await stage.run(['post', '--to', 'all', '--draft', '--json'], { input: 'From a pipe\n' });
    const dash = await stage.run(['post', '-', '--to', 'all', '--draft', '--json'], { input: 'By dash' });
    const texts = [file, pipe, dash].map(({ json }) => json.data.posts[0].content);
    expect(texts).toEqual(['From a file', 'From a pipe', 'By dash']);
    expect(file.json.data.status).toBe('draft');
    expect((await stage.run(['post', 'x', '--file', 'text.md', '--to', 'all'])).code).toBe(2);
    const missing = await stage.run(['post', '--file', 'none.md', '--to', 'all']);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('none.md cannot be read') });
  });

  test('--at takes a human time in a time zone', async () => {
    const at = '2027-06-01 09:00';
    const { json } = await stage.run(['post', 'x', '--to', 'all', '--at', at, '--tz', 'Asia/Tokyo', '--json']);
    expect(json.data).toMatchObject({ status: 'scheduled', scheduledTime: '2027-06-01T00:00:00.000Z' });
    const people = await stage.run(['post', 'x', '--to', 'all', '--at', 'in 2 hours', '--tz', 'Europe/Berlin']);
    expect(people.stdout).toMatch(/^✓ Scheduled for .* \(Europe\/Berlin\): [0-9a-f]{24}\n$/);
    const wrong = await stage.run(['post', 'x', '--to', 'all', '--at', 'someday', '--json']);
    expect([wrong.code, wrong.json.error.message]).toEqual([2, expect.stringContaining('tomorrow 9:00')]);
    expect((await stage.run(['post', 'x', '--to', 'all', '--at', '9:00', '--tz', 'Mars'])).code).toBe(2);
  });

  test('--to takes ids, networks, handles and all, and says what there is', async () => {
    const bluesky = await stage.ada.aConnection('bluesky');
    const { username } = (await stage.ada.call('GET', '/platform-connections')).body.connections.find(
      ({ platformId }: { platformId: string }) => platformId === bluesky,
    );
    const to = async (...names: string[]) =>
      (await stage.run(['post', 'x', ...names.flatMap((name) => ['--to', name]), '--draft', '--json'])).json;
    expect((await to(mastodon)).data.platforms).toEqual([mastodon]);
    expect((await to(`@${username}`, 'mastodon')).data.platforms).toEqual([bluesky, mastodon]);
    expect((await to(`bluesky:${username},mastodon`)).data.platforms).toEqual([bluesky, mastodon]);
    expect((await to('all')).data.platforms.toSorted()).toEqual([bluesky, mastodon].toSorted());
    expect(await to('nobody')).toMatchObject({ ok: false, error: { code: 'TARGET_NOT_FOUND' } });
    await stage.ada.aConnection('bluesky');
    const several = await stage.run(['post', 'x', '--to', 'bluesky']);
    expect(several).toMatchObject({ code: 4, stderr: expect.stringContaining(bluesky) });
  });

  test('--media uploads files before the post goes out', async () => {
    await writeFile(`${stage.folder}/photo.png`, (await anImage()).bytes);
    const args = ['post', 'Look', '--to', 'all', '--media', 'photo.png', '--wait', '--json'];
    const { code, json, stderr } = await stage.whilePublishing(stage.run(args));
    expect([code, stderr, json.data.status]).toEqual([0, '', 'published']);
    expect(json.data.media).toMatchObject([{ sourceFileName: 'photo.png', status: 'ready' }]);
    const missing = await stage.run(['post', 'Look', '--to', 'all', '--media', 'none.png']);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('none.png is not a file') });
  });

  test('--alt describes the media in their order, files and addresses alike', async () => {
    await writeFile(`${stage.folder}/second.png`, (await anImage()).bytes);
    const media = ['--media', 'photo.png', 'second.png', '--alt', '', 'The second'];
    const { code, json } = await stage.run(['post', 'Look', '--to', 'all', ...media, '--draft', '--json']);
    expect([code, json.data.media.map(({ altText }: { altText: string }) => altText)]).toEqual([
      0,
      [null, 'The second'],
    ]);
    const many = await stage.run(['post', 'Look', '--to', 'all', '--media', 'photo.png', '--alt', 'One', 'Two']);
    expect(many).toMatchObject({ code: 2, stderr: expect.stringContaining('There are 2 alt texts for 1 media') });
  });

  test('--media keeps its order, files and addresses alike', async () => {
    for (const name of ['one.png', 'two.png']) await writeFile(`${stage.folder}/${name}`, (await anImage()).bytes);
    const [a, b] = ['a.png', 'b.png'].map((name) => `${web.url}/picture/${name}`) as [string, string];
    const post = async (...media: string[]) => {
      const args = ['post', 'Look', '--to', 'all', '--at', '2027-06-01 09:00', '--media', ...media, '--json'];
      const { code, json } = await stage.run(args);
      const files = json.data.media.map(({ sourceFileName }: { sourceFileName: string }) => sourceFileName);
      return [code, json.data.status, files];
    };
    expect(await post('one.png', a)).toEqual([0, 'scheduled', ['one.png', 'a.png']]);
    expect(await post(a, 'one.png', b, 'two.png')).toEqual([0, 'scheduled', ['a.png', 'one.png', 'b.png', 'two.png']]);
    const alt = ['one.png', a, '--alt', 'First', 'Second'];
    const { json } = await stage.run(['post', 'Look', '--to', 'all', '--draft', '--media', ...alt, '--json']);
    expect(json.data.media).toMatchObject([{ altText: 'First' }, { altText: 'Second' }]);
  });

  test('an address that cannot be fetched after a file leaves a draft, and the error names it', async () => {
    await writeFile(`${stage.folder}/photo.png`, (await anImage()).bytes);
    const media = ['--media', 'photo.png', `${web.url}/status/404`];
    const { code, json } = await stage.run(['post', 'Look', '--to', 'all', ...media, '--json']);
    expect([code, json.ok]).toEqual([4, false]);
    expect(json.error.hint).toContain(json.data.postGroupId);
    expect((await stored(json.data.postGroupId)).status).toBe('draft');
  });

  test('a file that is refused leaves a draft, and the error names it', async () => {
    await writeFile(`${stage.folder}/broken.png`, 'no image');
    const { code, json } = await stage.run(['post', 'x', '--to', 'all', '--media', 'broken.png', '--json']);
    expect([code, json.ok]).toEqual([4, false]);
    expect(json.error.hint).toContain(json.data.postGroupId);
    expect((await stored(json.data.postGroupId)).status).toBe('draft');
  });

  test('--thread makes a part of each paragraph, and --comment adds comments', async () => {
    const x = await stage.ada.aConnection('twitter');
    const args = ['post', 'One\n\nTwo\n\nThree', '--to', 'x', '--thread', '--draft', '--json'];
    const { json } = await stage.run([...args, '--comment', 'First', '--comment', 'Second']);
    expect(json.data).toMatchObject({ platforms: [x], firstComments: [{ text: 'First' }, { text: 'Second' }] });
    expect(json.data.posts[0]).toMatchObject({ isThread: true });
    expect(json.data.posts[0].threadParts).toHaveLength(3);
  });

  test('--dry-run shows what each network would say, and stores nothing', async () => {
    await stage.ada.aConnection('bluesky');
    const { code, json } = await stage.run(['post', 'x'.repeat(400), '--to', 'all', '--dry-run', '--json']);
    expect([code, json.error.code]).toEqual([4, 'VALIDATION_FAILED']);
    expect(json.data.results).toMatchObject([
      { platform: expect.any(String), valid: expect.any(Boolean) },
      { platform: expect.any(String), valid: expect.any(Boolean) },
    ]);
    const valid = Object.fromEntries(
      json.data.results.map((result: { platform: string; valid: boolean }) => [result.platform, result.valid]),
    );
    expect(valid).toEqual({ mastodon: true, bluesky: false });
    const fine = await stage.run(['post', 'short', '--to', 'all', '--dry-run']);
    expect(fine).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ bluesky: ok') });
    expect((await stage.ada.call('GET', '/list-posts')).body.posts).toEqual([]);
  });

  test('--dry-run looks at the files and says what each network would do with them', async () => {
    for (const name of ['bluesky', 'youtube', 'instagram'] as const) await stage.ada.aConnection(name);
    await writeFile(`${stage.folder}/photo.png`, (await anImage({ type: 'png' })).bytes);
    await writeFile(`${stage.folder}/large.png`, (await anImage({ type: 'png' })).bytes);
    await truncate(`${stage.folder}/large.png`, 3_000_000);
    await writeFile(`${stage.folder}/clip.mp4`, aVideo().bytes);
    await truncate(`${stage.folder}/clip.mp4`, 150_000_000);
    await writeFile(`${stage.folder}/notes.txt`, 'no image');
    const dry = (to: string, ...files: string[]) =>
      stage.run(['post', 'Look', '--to', to, '--media', ...files, '--dry-run', '--json']);

    const fine = await dry('mastodon,instagram', 'photo.png');
    expect(fine.json.data).toMatchObject({ valid: true, files: [{ file: 'photo.png', type: 'image/png' }] });
    const shrunk = await dry('bluesky', 'large.png');
    expect([shrunk.code, shrunk.json.data.results[0].warnings]).toMatchObject([
      0,
      [{ code: 'MEDIA_SIZE_EXCEEDED', message: expect.stringContaining('larger than the 2 MB limit of Bluesky') }],
    ]);
    const video = await dry('youtube,bluesky', 'clip.mp4');
    expect([video.code, video.json.data.results]).toMatchObject([
      4,
      [
        { platform: 'youtube', valid: true },
        { platform: 'bluesky', valid: false, errors: [{ code: 'MEDIA_SIZE_EXCEEDED' }] },
      ],
    ]);
    const image = await dry('youtube', 'photo.png');
    expect(image.json.data.results[0].errors.map(({ code }: { code: string }) => code)).toEqual([
      'VIDEO_REQUIRED',
      'MEDIA_TYPE_NOT_SUPPORTED',
    ]);
    const many = await stage.run([
      ...['post', 'Look', '--to', 'mastodon', '--dry-run', '--media'],
      ...['photo.png', 'photo.png', 'photo.png', 'photo.png', 'photo.png', 'notes.txt'],
    ]);
    expect([many.code, many.stderr]).toEqual([4, expect.stringContaining('at most 4 images per post (currently 5)')]);
    expect(many.stderr).toContain('notes.txt is not an image, a video or a PDF');
    expect((await dry('mastodon', 'none.png')).code).toBe(2);
    expect((await stage.ada.call('GET', '/list-posts')).body.posts).toEqual([]);
  });

  test('a text that a network refuses ends with 4 and says why', async () => {
    const { code, stderr, stdout } = await stage.run(['post', 'x'.repeat(5000), '--to', 'mastodon']);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^Error: .*\n {2}mastodon: .*characters/);
    expect(stderr).not.toContain('at ');
  });
});

describe('list, show, update, delete, logs', () => {
  const aDraft = async (content: string) =>
    (await stage.ada.call('POST', '/create-post', { content, platforms: [mastodon] })).body.postGroupId as string;

  test('list shows the newest first and filters', async () => {
    const ids = [await aDraft('One'), await aDraft('Two\nlines'), await aDraft('Three')];
    const { stdout } = await stage.run(['list', '--limit', '2']);
    const [head, first, second, ...rest] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^ID +STATUS +TIME +NETWORKS +TEXT$/);
    expect([first, second, rest]).toEqual([
      expect.stringContaining(`${ids[2]}  draft`),
      expect.stringMatching(/mastodon {2}Two lines$/),
      [],
    ]);
    const { json } = await stage.run(['list', '--status', 'scheduled', '--json']);
    expect(json).toEqual({ ok: true, command: 'list', data: { posts: [] } });
    expect((await stage.run(['list', '--status', 'odd'])).code).toBe(2);
  });

  test('show prints the post and its targets; one that is not there is 1, no id is 2', async () => {
    const id = await aDraft('Hello\u001b[31m');
    const { code, stdout } = await stage.run(['show', id]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('mastodon  draft')]);
    expect(stdout).not.toContain('\u001b');
    const missing = await stage.run(['show', nobody, '--json']);
    expect([missing.code, missing.json.error.code]).toEqual([1, 'POST_GROUP_NOT_FOUND']);
    expect((await stage.run(['show', 'odd'])).code).toBe(2);
  });

  test('update changes text and time, --draft pauses, --now publishes', async () => {
    const id = await aDraft('Before');
    const changed = await stage.run(['update', id, 'After', '--at', '2027-01-02 03:04', '--json']);
    expect(changed.json.data).toMatchObject({ status: 'scheduled', scheduledTime: '2027-01-02T03:04:00.000Z' });
    expect(changed.json.data.posts[0].content).toBe('After');
    expect((await stage.run(['update', id, '--draft', '--json'])).json.data.status).toBe('draft');
    expect((await stage.run(['update', id, '--now', '--json'])).code).toBe(0);
    await publishDue(stage.service.app);
    expect((await stored(id)).status).toBe('published');
    expect((await stage.run(['update', id])).code).toBe(2);
  });

  test('delete needs --yes where no one can be asked', async () => {
    const id = await aDraft('Gone');
    expect(await stage.run(['delete', id])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await stage.run(['delete', id, '--yes', '--json'])).json.data).toEqual({ postGroupId: id, deleted: true });
    expect((await stage.run(['delete', id, '--yes'])).code).toBe(1);
  });

  test('logs tells what happened, the oldest first', async () => {
    const { json } = await stage.whilePublishing(stage.run(['post', 'x', '--to', 'all', '--wait', '--json']));
    const logs = await stage.run(['logs', json.data.postGroupId, '--json']);
    const times = logs.json.data.logs.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times.length).toBeGreaterThan(0);
    expect(times).toEqual(times.toSorted());
    expect((await stage.run(['logs', json.data.postGroupId])).stdout).toMatch(/^TIME \(UTC\) +NETWORK +EVENT/);
  });

  test('connections lists accounts with their state', async () => {
    const { stdout } = await stage.run(['connections']);
    expect(stdout).toMatch(new RegExp(`mastodon +person\\S+ +active +${mastodon}`));
    expect((await stage.run(['connections', '--json'])).json.data.connections).toHaveLength(1);
  });
});

describe('next-slot and retry', () => {
  const slots = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, time: '12:00', platformId: null }));

  test('--at next-slot takes the next free slot, in a post, an update and an import', async () => {
    await stage.ada.call('PUT', '/posting-slots', { timeZone: 'UTC', slots });
    const first = await stage.run(['post', 'One', '--to', 'all', '--at', 'next-slot', '--json']);
    const draft = await stage.run(['post', 'Two', '--to', 'all', '--draft', '--json']);
    const second = await stage.run(['update', draft.json.data.postGroupId, '--at', 'next-slot', '--json']);
    await writeFile(`${stage.folder}/slots.csv`, 'text,to,at\nThree,mastodon,next-slot\n');
    const imported = await stage.run(['import', 'slots.csv', '--json']);
    expect([first.code, second.code, imported.code]).toEqual([0, 0, 0]);
    const { posts } = (await stage.ada.call('GET', '/list-posts?status=scheduled&sortBy=scheduledTime&sortOrder=asc'))
      .body;
    expect(posts.map(({ content }: { content: string }) => content)).toEqual(['One', 'Two', 'Three']);
    const days = posts.map(({ scheduledTime }: { scheduledTime: string }) => Date.parse(scheduledTime) / 86_400_000);
    expect([days[1] - days[0], days[2] - days[1]]).toEqual([1, 1]);
  });

  test('without slots --at next-slot says how to set them', async () => {
    const { code, json } = await stage.run(['post', 'One', '--to', 'all', '--at', 'next-slot', '--json']);
    expect([code, json.error.code]).toEqual([1, 'NO_POSTING_SLOTS']);
    expect(json.error.hint).toContain('PUT /posting-slots');
  });

  test('retry publishes what failed for a passing reason, and refuses the rest', async () => {
    const fault = { network: 'mastodon', operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 7 * 3600 };
    await stage.service.sandbox.control('POST', '/faults', fault);
    const { json } = await stage.whilePublishing(stage.run(['post', 'Again', '--to', 'all', '--wait', '--json']));
    await stage.service.sandbox.clearFaults();
    expect(json.data.status).toBe('failed');
    const { postGroupId } = json.data;
    const retried = await stage.whilePublishing(stage.run(['retry', postGroupId, '--wait', '--json']));
    expect([retried.code, retried.json.data.status]).toEqual([0, 'published']);
    const refused = await stage.run(['retry', postGroupId, '--json']);
    expect([refused.code, refused.json.error.code]).toEqual([1, 'POST_NOT_FAILED']);
    expect((await stage.run(['retry', nobody])).code).toBe(1);
  });
});
