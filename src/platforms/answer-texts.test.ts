import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { secret } from './kit/http/client.ts';
import { maxTokenLength, Token } from './kit/index.ts';

/** The networks whose servers anyone can run, and what the schemas of every network's responses share. */
const folders = ['mastodon', 'bluesky', 'kit', 'kit/http'];

/** The fields of a form are texts of the user. `connect.ts` of the feature bounds them. */
const forms = /const Fields = [\s\S]*?\n(?: {2})?\}\)(\n {2}\.meta\([^\n]*\))?;/;

/** `z.string()` and the like without `.max(…)` right behind. */
const endless = /z\.(string|url|iso\.\w+|base64|json)\((?:\{[^}]*\})?\)(?!\.max\()[^,;]{0,40}/g;

test('every text in a response of a server that anyone can run has a maximum length', () => {
  const found = folders.flatMap((folder) =>
    readdirSync(`src/platforms/${folder}`)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => {
        const path = `${folder}/${name}`;
        const source = readFileSync(`src/platforms/${path}`, 'utf8');
        return endlessIn(name === 'connect.ts' ? source.replace(forms, '') : source).map((text) => `${path}: ${text}`);
      }),
  );
  expect(found.filter((text) => !elsewhere.some((each) => text.startsWith(each)))).toEqual([]);
});

/** Not of responses: the settings of a post. */
const elsewhere = ['kit/setting-fields.ts'];

const endlessIn = (source: string) => source.replace(/\s+/g, '').match(endless) ?? [];

test('a text without one is found', () => {
  expect(endlessIn('a: z\n  .string()\n  .min(1), b: z.string().max(3).min(1), c: z.url()')).toEqual([
    'z.string().min(1)',
    'z.url()',
  ]);
});

test('tokens of all networks have a maximum length', () => {
  const [longest, longer] = [maxTokenLength, maxTokenLength + 1].map((length) => 'x'.repeat(length));
  expect(secret().safeParse(longest).success).toBe(true);
  expect(secret().safeParse(longer).success).toBe(false);
  expect(Token.safeParse({ access_token: longest, refresh_token: longest }).success).toBe(true);
  for (const name of ['access_token', 'refresh_token'])
    expect(Token.safeParse({ access_token: 'x', [name]: longer }).success).toBe(false);
});
