import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/processes/crier.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const document = read('docs/security.md');
const named = [...document.matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

describe('the threat model', () => {
  test('names a test for each threat', () => {
    const [, threats = ''] = /## Threats\n([\s\S]*?)\n## /.exec(document) ?? [];
    const rows = threats.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| who and what'));
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/`[\w./-]+\.test\.ts` "/.test(row))).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(rows.length);
  });

  test.each(named)('$file has "$title"', ({ file, title }) => {
    expect(existsSync(join(root, file))).toBe(true);
    // Titles may be in quotes of any kind.
    expect(read(file)).toMatch(new RegExp(`['"\`]${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}['"\`]`));
  });

  test('covers every entry of the API Security Top 10', () => {
    const covered = new Set([...document.matchAll(/\bAPI(\d+)\b/g)].map(([, number]) => Number(number)));
    expect([...covered].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});
