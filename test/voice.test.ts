import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
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
/** Pages that are checked as a whole. */
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

/** Code whose strings users, operators or agents can read. SQL keeps its comments, which are no texts for them. */
const spoken = ['src/**/*.ts', 'client/src/**/*.ts', 'cli/src/**/*.ts', 'dashboard/src/**/*.{ts,tsx}', 'action/*.mjs'];
const isSpoken = (file: string) => !/\.test\.ts$|\.gen\.ts$|weak-password/.test(file);

test('no string of the product has a rejected phrase', () => {
  const all = globSync(spoken, { cwd: root }).filter(isSpoken);
  expect(all.length).toBeGreaterThan(1000);
  const wrong = all.flatMap((file) =>
    stringsIn(file)
      .flatMap(found)
      .map((line) => `${file} ${line}`),
  );
  expect(wrong).toEqual([]);
});

function stringsIn(file: string): string[] {
  const code = readFileSync(join(root, file), 'utf8');
  if (!code.match(phrase)) return [];
  const strings: string[] = [];
  const visitor = new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && strings.push(value)),
    TemplateElement: ({ value }) => void strings.push(value.raw.replace(/--.*$/gm, '')),
    JSXText: ({ value }) => void strings.push(value),
  });
  visitor.visit(parseSync(file, code).program);
  return strings;
}

test('docs/voice.md names every rejected phrase', () => {
  const page = readFileSync(join(root, 'docs/voice.md'), 'utf8').split('## Rejected phrases')[1] ?? '';
  const missing = rejected.filter((words) => !page.includes(`"${words.replace('s?', '')}"`));
  expect(missing).toEqual([]);
});

test('the rule notices a phrase, also at the start of a sentence, and no part of a longer word', () => {
  expect(found('Nobody knows.\nWe recommend it.')).toEqual(['1: Nobody knows.']);
});
