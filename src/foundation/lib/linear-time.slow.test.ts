import { expect, test } from 'vitest';
import { contentOf } from '../../../action/release-post.mjs';
import { facetsOf } from '../../platforms/bluesky/rich-text.ts';
import { littleText, mentionIssues, plainMessage } from '../../platforms/linkedin/text.ts';
import { toEntities } from '../../platforms/telegram/markup.ts';
import { isTextOf } from '../../platforms/twitter/match-text.ts';
import { finish } from '../text/in-turns.ts';
import { textLength } from '../text/length.ts';
import { splitThread } from '../text/split-thread.ts';
import { hashtagsIn, linksIn, mentionsIn } from '../text/tokens.ts';

const release = { release: 'One', tag: 'v1', url: 'https://example.com/v1', repo: 'ada/engine' };
const cuts = ['paragraph', 'line', 'sentence', 'word'] as const;
const functions: Record<string, (text: string) => unknown> = {
  'splitting by weight': (text) => finish(splitThread(text, { limit: 280, unit: 'weighted', cuts })),
  'splitting by characters': (text) => finish(splitThread(text, { limit: 500, unit: 'utf16', cuts })),
  weighing: (text) => textLength(text, 'weighted'),
  'counting graphemes': (text) => textLength(text, 'grapheme'),
  'counting as Mastodon does': (text) => textLength(text, 'fediverse', 23),
  'finding tokens': (text) => [hashtagsIn(text), mentionsIn(text), linksIn(text)],
  'rich text of Bluesky': (text) => facetsOf(text, {}),
  'texts of LinkedIn': (text) => [littleText(text), plainMessage(text), mentionIssues(text)],
  'markup of Telegram': toEntities,
  'notes of a release': (notes) => contentOf('{notes}', { ...release, notes }, 500),
  'comparing with a post on X': (text) => isTextOf({ text }, text),
};

const marks = ['\u200d', '\u0301', '\u0315\u0300', 'e\u0301', '\u{1f1e6}', '👨‍👩‍👧', '漢', '\u0915\u094d', '\u1100'];
const markup = [
  '[a](',
  '[',
  '<!--',
  '(',
  '@',
  '@a.',
  '#',
  '#a',
  '$a ',
  'a.aa ',
  'https://',
  'https://a.bc/(',
  'www.',
  '`',
  '```\n',
  '*a',
  '> \n',
];
const breaks = [
  'a',
  ' ',
  '\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\v',
  '\f',
  'a\u2028',
  '\u2028 ',
  'a\n---\n',
  '\n---\n',
  '[1/2] ',
  '@{urn:li:person:a|',
  '@[',
];
/** Texts by length. A careless pattern retries a run that does not end the text from each of its characters. */
const nasty: Record<string, (length: number) => string> = {};
for (const repeated of [...marks, ...markup, ...breaks]) nasty[repeated] = (length) => repeat(repeated, length);
for (const start of ['https://a.bc/', '#a', '@a']) {
  for (const mark of ['!', '.', ')', '”', '/'])
    nasty[`${start} ${mark} z`] = (length) => `${start}${repeat(mark, length)}z`;
}
const repeat = (text: string, length: number) => text.repeat(length / text.length);

/** The CPU time of the fastest of a few runs, because other processes share the CPU and its caches. */
function fastestMs(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

test.each(Object.entries(functions))('%s takes time in proportion to the length of the text', (_, work) => {
  const slow = Object.entries(nasty).filter(([, textOf]) => {
    const isSlow = () => {
      const fourfold = fastestMs(() => work(textOf(100_000)));
      // Shorter times cannot be measured well, and are not quadratic at this length.
      return fourfold > 150 && fourfold / fastestMs(() => work(textOf(25_000))) > 9;
    };
    work(textOf(20_000));
    // Quadratic time shows every time; a machine that was briefly busy does not.
    return isSlow() && isSlow() && isSlow();
  });
  expect(slow.map(([name]) => name)).toEqual([]);
});
