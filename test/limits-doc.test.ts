import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rates } from '../src/http/rate-limits.ts';

test('docs/limits.md has every rate limit with its number', async () => {
  const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const numbers = rows.map((row) =>
    row
      .split('|')
      .slice(2, 4)
      .map((cell) => cell.trim()),
  );
  const wanted = Object.values(rates).map(({ limit, seconds }) => [
    limit.toLocaleString('en-US'),
    seconds === 60 ? 'a minute' : 'an hour',
  ]);
  expect(numbers.slice(2)).toEqual(wanted);
});
