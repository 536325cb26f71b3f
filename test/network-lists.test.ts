import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { descriptions, shownNameOf } from '../src/platforms/descriptions.ts';

/** Handwritten lists of all networks. All other lists are generated. */
test.each([
  ['.github/ISSUE_TEMPLATE/bug_report.yml', (name: string) => `        - ${name}\n`],
  ['docs/networks.md', (name: string) => `\n| ${name} `],
])('%s lists every network', async (path, entry) => {
  const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
  const names = descriptions.map(({ id }) => shownNameOf(id));
  expect(names.filter((name) => !text.includes(entry(name)))).toEqual([]);
});
