import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setAccess } from '../../src/features/accounts/operator/switches.ts';
import { addApiKey } from '../../src/features/auth/api-keys/api-keys.ts';
import { anImage } from '../../test/support/files/media.ts';
import { serve } from '../../test/support/servers/local.ts';
import type { TestClock } from '../../test/support/service/app.ts';
import { type CliStage, cliStage, command } from './stage.ts';

let stage: CliStage;
let mastodon: string;
let web: Awaited<ReturnType<typeof serve>>;
/** The number of requests that get a picture before one is kept waiting. */
let picturesBeforeSilence = Number.POSITIVE_INFINITY;
let waiting: ServerResponse | null = null;
/** The clock of the service, which runs. */
let aheadMs = 0;
const clock: TestClock = {
  now: () => new Date(Date.now() + aheadMs),
  advance({ seconds }) {
    aheadMs += seconds * 1000;
  },
};

beforeAll(async () => {
  const { bytes } = await anImage({ type: 'png' });
  web = await serve((_, response) => {
    picturesBeforeSilence -= 1;
    if (picturesBeforeSilence === -1) waiting = response;
    else response.end(bytes);
  });
  stage = await cliStage({ clock, environment: { EGRESS_ALLOW: new URL(web.url).host } });
});
afterAll(async () => {
  await stage?.close();
  await web?.close();
});
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

const sourcesOf = async (postGroupId: string) => {
  const { body } = await stage.ada.call('GET', `/get-post/${postGroupId}`);
  return [body.status, ...body.media.map(({ sourceFileName }: { sourceFileName: string }) => sourceFileName)];
};

test('a row with files and URLs gets all of them, in the order of the row', async () => {
  for (const name of ['one.png', 'two.png']) await writeFile(`${stage.folder}/${name}`, (await anImage()).bytes);
  const [a, b] = [`${web.url}/a.png`, `${web.url}/b.png`];
  const rows = [`${a};one.png`, `one.png;two.png;${a}`, `one.png;${a};two.png;${b}`].map(
    (media, index) => `Mixed ${index},mastodon,2027-03-05 09:00,${media}`,
  );
  const { code, json } = await stage.run(['import', await aFile('mixed.csv', ['text,to,at,media', ...rows]), '--json']);
  const ids = json.slice(0, 3).map(({ data }: { data: { postGroupId: string } }) => data.postGroupId);
  expect([code, await Promise.all(ids.map(sourcesOf))]).toEqual([
    0,
    [
      ['scheduled', 'a.png', 'one.png'],
      ['scheduled', 'one.png', 'two.png', 'a.png'],
      ['scheduled', 'one.png', 'a.png', 'two.png', 'b.png'],
    ],
  ]);
});

test('an import that is killed while a row gets its media continues with the next one', async () => {
  for (const name of ['one.png', 'two.png']) await writeFile(`${stage.folder}/${name}`, (await anImage()).bytes);
  const media = `${web.url}/a.png;one.png;${web.url}/b.png;two.png`;
  const file = await aFile('killed.csv', ['text,to,at,media', `Killed,mastodon,2027-03-05 09:00,${media}`]);
  // Validation fetches both pictures, and the draft has the first.
  picturesBeforeSilence = 3;
  const child = spawn(process.execPath, [command, 'import', file], { env: stage.environment(), cwd: stage.folder });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (!waiting) await sleep(10);
  child.kill('SIGKILL');
  await ended;
  waiting.destroy();
  const { code, json } = await stage.run(['import', file, '--json']);
  expect([code, await sourcesOf(json[0].data.postGroupId)]).toEqual([
    0,
    ['scheduled', 'a.png', 'one.png', 'b.png', 'two.png'],
  ]);
  expect(await stored()).toHaveLength(1);
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

/** Makes all rows that were sent so far this many hours older, for the command and for the service. */
async function age(hours: number) {
  const folder = `${stage.folder}/config/crier/imports`;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    const older = (time: string) => String(Number(time) - hours * 3_600_000);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/^\d{13}/gm, older));
  }
  clock.advance({ seconds: hours * 3600 });
}

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
  await age(hours);
  return file;
}

test('an import that was interrupted almost a day ago is refused, because its keys are forgotten soon', async () => {
  const file = await interrupted('Old', 23.1);
  const { code, json } = await stage.run(['import', file, '--json']);
  expect([code, json.error.code]).toEqual([4, 'IMPORT_TOO_OLD']);
});

test('rows that were sent a day ago are refused in every file, with their lines, until --again sends them', async () => {
  const rows = ['One,mastodon,2027-03-04 09:00', 'Same,mastodon,2027-03-04 09:00', 'Same,mastodon,2027-03-04 09:00'];
  const first = await aFile('first.csv', ['text,to,at', ...rows]);
  expect((await stage.run(['import', first])).code).toBe(0);
  const second = await aFile('second.csv', ['text,to,at', 'Two,mastodon,2027-03-04 09:00', ...rows]);
  await age(25);
  const { code, json } = await stage.run(['import', second, '--json']);
  expect([code, json.error.code, json.error.hint]).toEqual([
    4,
    'IMPORT_TOO_OLD',
    expect.stringMatching(/Remove these lines.*--again/),
  ]);
  expect(json.data.rows.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5]);
  expect((await stage.run(['import', second])).stderr).toMatch(/line 3: .*sent/);
  expect(await stored()).toHaveLength(3);

  const rest = await aFile('second.csv', ['text,to,at', 'Two,mastodon,2027-03-04 09:00']);
  expect((await stage.run(['import', rest])).code).toBe(0);
  expect((await stage.run(['import', first, '--again'])).code).toBe(0);
  const contents = (await stored()).map(({ content }) => content);
  expect(contents.toSorted()).toEqual(['One', 'One', 'Same', 'Same', 'Same', 'Same', 'Two']);
});

test('a row that the service refused can be sent later, and the rows around it are not sent again', async () => {
  stage.ada = await stage.service.aUser({ plan: 'starter' });
  await stage.ada.aConnection();
  const at = new Date(clock.now().getTime() + 2 * 86_400_000).toISOString();
  const rows = ['A', 'B', 'C', 'D'].map((text) => `${text},mastodon,${at}`);
  const file = await aFile('limit.csv', ['text,to,at', ...rows]);
  const { code, json } = await stage.run(['import', file, '--json']);
  const failed = json.at(-1);
  expect([code, failed.error.code, failed.data.rows]).toEqual([
    1,
    'IMPORT_FAILED',
    [expect.objectContaining({ code: 'SCHEDULED_POST_LIMIT_REACHED' })],
  ]);
  await age(25);
  await stage.service.database.pool.query(`update users set plan = 'agency' where id = $1`, [stage.ada.id]);
  const [{ line }] = failed.data.rows;
  const corrected = rows.with(line - 2, `${rows[line - 2]!.replace(',', ' corrected,')}`);
  const all = await stage.run(['import', await aFile('limit.csv', ['text,to,at', ...corrected]), '--json']);
  const sent = [2, 3, 4, 5].filter((other) => other !== line);
  expect([all.code, all.json.data?.rows?.map((row: { line: number }) => row.line)]).toEqual([4, sent]);
  const alone = await stage.run(['import', await aFile('alone.csv', ['text,to,at', rows[line - 2]!])]);
  expect([alone.code, (await stored()).map(({ content }) => content)]).toEqual([0, ['A', 'B', 'C', 'D']]);
});

test('within a day, a corrected file sends only the missing rows, even if the times of the others have passed', async () => {
  const soon = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const rows = [`One,mastodon,${soon}`, 'Two,mastodon,2027-03-04 09:00'];
  expect((await stage.run(['import', await aFile('day.csv', ['text,to,at', ...rows])])).code).toBe(0);
  await age(2);
  const corrected = await aFile('day.csv', ['text,to,at', ...rows, 'Three,mastodon,2027-03-04 09:00']);
  const { code, json } = await stage.run(['import', corrected, '--json']);
  expect([code, (await stored()).length]).toEqual([0, 3]);
  const replayed = json.slice(0, 3).map(({ data }: { data: { replayed: boolean } }) => data.replayed);
  expect(replayed).toEqual([true, true, false]);
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
