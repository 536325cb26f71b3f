import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('./', import.meta.url).pathname;

test('light-dark() only appears in rules that set color-scheme, because the build drops it elsewhere', () => {
  const rules = globSync('**/*.css', { cwd: folder }).flatMap((file) =>
    readFileSync(`${folder}${file}`, 'utf8')
      .split('}')
      .filter((rule) => rule.includes('light-dark('))
      .map((rule) => ({ file, hasScheme: rule.includes('color-scheme:') })),
  );
  expect(rules).not.toEqual([]);
  expect(rules.filter(({ hasScheme }) => !hasScheme)).toEqual([]);
});
