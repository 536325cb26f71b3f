import { spawn } from 'node:child_process';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setAccess } from '../../src/features/accounts/operator/switches.ts';
import { addApiKey } from '../../src/features/auth/api-keys/api-keys.ts';
import { anImage } from '../../test/support/files/media.ts';
import { type CliStage, cliStage, command } from './stage.ts';

let stage: CliStage;
let mastodon: string;

beforeAll(async () => {
  stage = await cliStage();
});
afterAll(() => stage?.close());
beforeEach(async () => {
  stage.ada = await stage.service.aUser({ plan: 'agency' });
  mastodon = await stage.ada.aConnection();
});

interface Stored {
  content: string;
  status: string;
}
const stored = async (): Promise<Stored[]> => {
  const query = 'select content, status from post_groups where user_id = $1 order by content';
  return (await stage.service.database.pool.query(query, [stage.ada.id])).rows;
};
const aFile = async (name: string, lines: readonly string[]) => {
  await writeFile(`${stage.folder}/${name}`, lines.join('\n'));
  return name;
};

test('a CSV file becomes posts, with quoted texts, lists, times, threads, comments and files', async () => {
  const twitter = await stage.ada.aConnection('twitter');
  await writeFile(`${stage.folder}/photo.jpg`, (await anImage()).bytes);
  const file = await aFile('posts.csv', [
    'text,to,at,media,comment,thread',
    '"One, with ""quotes""\nand lines",mastodon,2027-03-04 09:00,,First;Second,',
    'Two,mastodon;x,2027-03-04T09:00:00Z,,,Part two;Part three',
    'Three,mastodon,2027-03-05 09:00,photo.jpg,,',
  ]);
  const { code, stdout, stderr } = await stage.run(['import', file, '--tz', 'Europe/Berlin', '--json']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, stderr, lines.length]).toEqual([0, '', 4]);
  // The second row starts in line 4, because the first spans two lines.
  expect(lines.map(({ data }) => data.line)).toEqual([2, 4, 5, undefined]);
  const [one, two, three] = await Promise.all(
    lines.slice(0, 3).map(async ({ data }) => (await stage.ada.call('GET', `/get-post/${data.postGroupId}`)).body),
  );
  expect(one).toMatchObject({ status: 'scheduled', scheduledTime: '2027-03-04T08:00:00.000Z' });
  expect(one.posts[0].content).toBe('One, with "quotes"\nand lines');
  expect(one.firstComments).toMatchObject([{ text: 'First' }, { text: 'Second' }]);
  expect(two.platforms.toSorted()).toEqual([mastodon, twitter].toSorted());
  expect(two.posts.find(({ platform }: { platform: string }) => platform === 'twitter').threadParts).toHaveLength(3);
  expect(three).toMatchObject({ status: 'scheduled', media: [{ sourceFileName: 'photo.jpg', status: 'ready' }] });

  const again = await stage.run(['import', file, '--tz', 'Europe/Berlin', '--json']);
  expect(again.json.slice(0, 3).map(({ data }: { data: object }) => data)).toMatchObject([
    { replayed: true },
    { replayed: true },
    { replayed: true },
  ]);
  expect(await stored()).toHaveLength(3);
});

test('alt has the texts of the media in their order, and a row without one is the same row as before', async () => {
  for (const name of ['one.jpg', 'two.jpg']) await writeFile(`${stage.folder}/${name}`, (await anImage()).bytes);
  const rows = (alt: string) => [
    `text,to,at,media${alt && ',alt'}`,
    `Two files,mastodon,2027-03-05 09:00,one.jpg;two.jpg${alt}`,
  ];
  const read = async (lines: readonly string[]) => {
    const { json } = await stage.run(['import', await aFile('alt.csv', lines), '--json']);
    const { body } = await stage.ada.call('GET', `/get-post/${json[0].data.postGroupId}`);
    return [json[0].data.replayed ?? false, body.media.map(({ altText }: { altText: string | null }) => altText)];
  };
  expect(await read(rows(',; The second'))).toEqual([false, [null, 'The second']]);
  expect(await read(rows(''))).toEqual([false, [null, null]]);
  expect(await read(rows(',;'))).toEqual([true, [null, null]]);
  const { code, json } = await stage.run(['import', await aFile('alt.csv', rows(',a;b;c')), '--json']);
  expect([code, json.data.rows]).toEqual([4, [expect.objectContaining({ line: 2, code: 'WRONG_USE' })]]);
});

test('every bad row is named with its line and its reason, and nothing is sent', async () => {
  const file = await aFile('posts.jsonl', [
    '{ "text": "Good", "to": "mastodon", "at": "2027-03-04 09:00" }',
    '{ "text": "Nobody", "to": ["nobody"] }',
    'no json',
    '{ "text": "When", "to": "mastodon", "at": "tomorrow 9:00" }',
    `{ "text": "${'x'.repeat(5000)}", "to": "mastodon" }`,
    '{ "text": "File", "to": "mastodon", "media": ["none.png"] }',
    '{ "text": "Field", "to": "mastodon", "txt": 1 }',
    '{ "text": "Type", "to": "mastodon", "media": ["notes.txt"] }',
  ]);
  await aFile('notes.txt', ['no image']);
  const { code, json } = await stage.run(['import', file, '--json']);
  expect([code, json.ok, json.error.code]).toEqual([4, false, 'IMPORT_INVALID']);
  expect(json.data.rows.map(({ line, code: reason }: { line: number; code: string }) => [line, reason])).toEqual([
    [2, 'TARGET_NOT_FOUND'],
    [3, 'ROW_UNREADABLE'],
    [4, 'TIME_INVALID'],
    [5, 'VALIDATION_FAILED'],
    [6, 'WRONG_USE'],
    [7, 'COLUMN_UNKNOWN'],
    [8, 'MEDIA_TYPE_NOT_SUPPORTED'],
  ]);
  const people = await stage.run(['import', file]);
  expect(people.stderr).toMatch(/line 2: You have no account called "nobody"/);
  expect(await stored()).toEqual([]);
  const bare = await aFile('bare.csv', ['Hello,mastodon']);
  expect(await stage.run(['import', bare])).toMatchObject({ code: 4, stderr: expect.stringContaining('text and to') });
});

test('--dry-run validates only, and equal rows are two posts', async () => {
  const file = await aFile('same.csv', [
    'text,to,at',
    'Same,mastodon,2027-03-04 09:00',
    'Same,mastodon,2027-03-04 09:00',
  ]);
  expect((await stage.run(['import', file, '--dry-run', '--json'])).json.data).toEqual({ dryRun: true, rows: 2 });
  expect(await stored()).toEqual([]);
  expect((await stage.run(['import', file])).stdout).toBe('✓ 2 of 2 rows are published or scheduled.\n');
  expect(await stored()).toHaveLength(2);
});

test('an import that is killed twice and run again posts each row once', async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `Row ${n},mastodon,2027-03-04 09:00`);
  const file = await aFile('many.csv', ['text,to,at', ...rows]);
  for (const enough of [50, 720]) {
    const child = spawn(process.execPath, [command, 'import', file], { env: stage.environment(), cwd: stage.folder });
    const ended = new Promise((resolve) => child.once('close', resolve));
    while ((await stored()).length < enough) await sleep(10);
    child.kill('SIGKILL');
    await ended;
  }
  const { code } = await stage.run(['import', file]);
  expect(code).toBe(0);
  const contents = (await stored()).map(({ content }) => content);
  expect([contents.length, new Set(contents).size]).toEqual([1000, 1000]);
});

/** Kills an import in the middle, and makes it this many hours old. */
async function interrupted(name: string, hours: number, ...args: string[]) {
  const rows = Array.from({ length: 300 }, (_, n) => `${name} ${n},mastodon,2027-03-04 09:00`);
  const file = await aFile(`${name}.csv`, ['text,to,at', ...rows]);
  const all = [command, 'import', file, ...args];
  const child = spawn(process.execPath, all, { env: stage.environment(), cwd: stage.folder });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const { pool } = stage.service.database;
  const query = 'select from post_groups where content like $1 limit 1';
  while ((await pool.query(query, [`${name} %`])).rowCount === 0) await sleep(10);
  child.kill('SIGKILL');
  await ended;
  const folder = `${stage.folder}/config/crier/imports`;
  const time = Date.now() / 1000 - hours * 3600;
  for (const marker of await readdir(folder)) await utimes(`${folder}/${marker}`, time, time);
  return file;
}

test('an import that was interrupted almost a day ago is refused, because its keys are forgotten soon', async () => {
  const file = await interrupted('Old', 23.1);
  const { code, json } = await stage.run(['import', file, '--json']);
  expect([code, json.error.code]).toEqual([4, 'IMPORT_TOO_OLD']);
});

test('an interrupted import belongs to its user: another user may import the file, a new key of this one may not', async () => {
  const { app, database } = stage.service;
  const managed = [await stage.service.aUser(), await stage.service.aUser()];
  for (const user of managed) await user.aConnection();
  await setAccess(app, stage.ada.id, { workspace: true });
  const ids = managed.map(({ id }) => id);
  await database.pool.query('update users set parent_user_id = $1 where id = any($2)', [stage.ada.id, ids]);
  const [first, second] = ids as [string, string];
  const file = await interrupted('Shared', 25, '--user', first);
  const { rawKey } = await app.db.transaction().execute((tx) => addApiKey(app, tx, stage.ada.id));
  const withNewKey = { environment: { CRIER_KEY: rawKey } };
  const refused = await stage.run(['import', file, '--user', first, '--json'], withNewKey);
  expect([refused.code, refused.json.error.code]).toEqual([4, 'IMPORT_TOO_OLD']);
  const other = await stage.run(['import', file, '--user', second]);
  expect([other.code, other.stderr]).toEqual([0, '']);
});
