import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** docs/voice.md describes Crier's voice. These phrases mark a text as translated or vague. */
const rejected = [
  'is told',
  'became of',
  'becomes of',
  'of its own',
  'so many',
  'so long',
  'at once',
  'mend',
  'anew',
  'whoever',
  'nobody',
  'imitations?',
  'the way back',
];

const root = new URL('..', import.meta.url).pathname;
/** The checked files. Folders with texts for users follow as their strings are rewritten. */
const checked = ['*.md', 'docs/**/*.md', 'client/*.md', 'cli/*.md', 'sandbox/*.md', '.env.example'];
/** The changelog stays as written, the page on the voice names the phrases, and the threat model cites test titles. */
const unchecked = ['CHANGELOG.md', 'docs/voice.md', 'docs/security.md'];
const phrase = new RegExp(`\\b(?:${rejected.join('|')})\\b`, 'gi');

const found = (text: string) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(phrase)].map(
        (match) => `${index + 1}: ${line.slice(Math.max(0, match.index - 40), match.index + 60)}`,
      ),
    );

const files = globSync(checked, { cwd: root }).filter((file) => !unchecked.includes(file));

test.each(files.sort())('%s sounds like Crier', (file) => {
  expect(found(readFileSync(join(root, file), 'utf8'))).toEqual([]);
});

test('docs/voice.md names every rejected phrase', () => {
  const page = readFileSync(join(root, 'docs/voice.md'), 'utf8').split('## Rejected phrases')[1] ?? '';
  const missing = rejected.filter((words) => !page.includes(`"${words.replace('s?', '')}"`));
  expect(missing).toEqual([]);
});

test('the rule notices a phrase, also at the start of a sentence, and no part of a longer word', () => {
  expect(found('Nobody knows.\nWe recommend it.')).toEqual(['1: Nobody knows.']);
});
