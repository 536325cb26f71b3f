import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const folders = 'src|test|sandbox|dashboard|client|cli|bench|scripts|migrations|releases|ops|action';
/** A path in backticks, without placeholders. */
const named = new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g');
/** Folders that a command creates, which are not in the repository. */
const made = new Set(['dashboard/screenshots/', 'client/dist', 'bench/results/']);
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root })];

const missingIn = (text: string) =>
  [...text.matchAll(named)].map(([, path]) => path!).filter((path) => !made.has(path) && !existsSync(join(root, path)));

test.each(pages)('%s names files and folders that exist', (page) => {
  expect(missingIn(readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

test('the rule notices a file that does not exist', () => {
  expect(missingIn('See `src/main.ts`, `src/platforms/<id>/api.ts` and `src/old.ts`.')).toEqual(['src/old.ts']);
});
