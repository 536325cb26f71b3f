import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from './support/eventually.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crier-demo-test-'));
  // When run as root, the database runs as another user, who needs access here.
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data');
});
const readyFile = () => readFile(join(dataDir, 'demo/ready.json'), 'utf8');
afterAll(async () => {
  const { pid } = JSON.parse(await readyFile());
  process.kill(pid, 'SIGTERM');
  await eventually(() => expect(readyFile()).rejects.toThrow());
  await eventually(() => expect(() => process.kill(pid, 0)).toThrow());
  await rm(folder, { recursive: true });
});

const demo = async () => {
  const env = { ...process.env, DATA_DIR: dataDir };
  return (await promisify(execFile)(process.execPath, ['scripts/demo.ts'], { cwd: root, env })).stdout;
};

test('the demo leaves a Crier running, so that its links open, and the next demo uses it', {
  timeout: 180_000,
}, async () => {
  const first = await demo();
  expect(first).toContain('19 of 19 published.');
  const links = [...first.matchAll(/http:\S+\/(?:x\.com|mastodon\.social|www\.youtube\.com)\/\S+/g)].map(
    ([link]) => link,
  );
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) expect((await fetch(link)).status, link).toBe(200);
  const { pid, url } = JSON.parse(await readyFile());
  expect(first).toContain(`Crier keeps running at ${url}, so that the links open. To stop it: kill ${pid}`);

  const second = await demo();
  expect(second).toContain(`Using the Crier that runs at ${url}.`);
  expect(second).toContain('19 of 19 published.');
});
