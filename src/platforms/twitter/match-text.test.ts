import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUrl } from '../../../test/support/any-string.ts';
import { isTextOf } from './match-text.ts';

const link = (url: string, expanded_url: string) => ({ url, expanded_url });

test.for<[title: string, sent: string, shown: string, urls: { url: string; expanded_url: string }[]]>([
  ['plain text', 'Hello', 'Hello', []],
  ['escaped markup', 'a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d', []],
  ['escapes in the text itself', 'write &amp; or &lt;', 'write &amp;amp; or &amp;lt;', []],
  ['blanks at the ends', '  Hello \n', 'Hello', []],
  ['blank lines, joined', 'One\n\n\n\nTwo', 'One\n\nTwo', []],
  ['letters in another Unicode form', 'cafe\u0301', 'café', []],
  [
    'a link',
    'See https://a.example/x?y=1&z=2',
    'See https://t.co/1',
    [link('https://t.co/1', 'https://a.example/x?y=1&z=2')],
  ],
  [
    'a link before a full stop',
    'See https://a.example/x.',
    'See https://t.co/1.',
    [link('https://t.co/1', 'https://a.example/x')],
  ],
  ['a link in brackets', '(https://a.example/x)', '(https://t.co/1)', [link('https://t.co/1', 'https://a.example/x')]],
  ['a bare domain', 'See Example.com now', 'See https://t.co/1 now', [link('https://t.co/1', 'http://example.com')]],
  [
    'a path beyond ASCII',
    'https://a.example/Köln',
    'https://t.co/1',
    [link('https://t.co/1', 'https://a.example/K%C3%B6ln')],
  ],
  [
    'a link in a text without blanks',
    '詳細はhttps://a.example/xを見て',
    '詳細はhttps://t.co/1を見て',
    [link('https://t.co/1', 'https://a.example/x')],
  ],
  ['a link of t.co itself', 'https://t.co/own', 'https://t.co/own', [link('https://t.co/own', 'https://a.example/x')]],
  [
    'the same link twice',
    'a.example a.example',
    'https://t.co/1 https://t.co/1',
    [link('https://t.co/1', 'http://a.example')],
  ],
  ['a short link without an entity', 'https://t.co/own', 'https://t.co/own', []],
])('%s is recognized', ([, sent, text, urls]) => {
  expect(isTextOf({ text, entities: { urls } }, sent)).toBe(true);
});

test.for<[title: string, sent: string, shown: string, target: string]>([
  ['another link', 'See https://a.example/2', 'See https://t.co/1', 'https://a.example/1'],
  ['a link with more to it', 'See https://a.example/12', 'See https://t.co/1', 'https://a.example/1'],
  ['a link to another host', 'See https://b.example/1', 'See https://t.co/1', 'https://a.example/1'],
  ['a link where there was none', 'See', 'See https://t.co/1', 'https://a.example/1'],
  ['more words', 'See https://a.example/1 now', 'See https://t.co/1', 'https://a.example/1'],
  ['fewer words', 'See https://a.example/1', 'See https://t.co/1 now', 'https://a.example/1'],
  ['other words', 'Look https://a.example/1', 'See https://t.co/1', 'https://a.example/1'],
])('%s is not recognized', ([, sent, text, target]) => {
  expect(isTextOf({ text, entities: { urls: [link('https://t.co/1', target)] } }, sent)).toBe(false);
});

test('a long post is compared as a whole', () => {
  const whole = {
    text: `${'word '.repeat(200)}https://t.co/1`,
    entities: { urls: [link('https://t.co/1', 'https://a.example')] },
  };
  const shown = { text: `${'word '.repeat(50)}… https://t.co/2`, note: whole };
  expect(isTextOf(shown, `${'word '.repeat(200)}https://a.example`)).toBe(true);
  expect(isTextOf(shown, `${'word '.repeat(199)}https://a.example`)).toBe(false);
});

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !/\s|t\.co|&/.test(text));
const piece = fc.oneof(
  words.map((text) => ({ text, target: null })),
  fc.constantFrom('&', '<b>', '&amp;', '"').map((text) => ({ text, target: null })),
  anyUrl({ withQuery: true, withFragment: true }).map((text) => ({ text, target: text })),
  fc.domain().map((text) => ({ text, target: `http://${text}` })),
);
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The post as X lists it. */
function shownBy(pieces: { text: string; target: string | null }[]) {
  const urls = pieces.flatMap(({ target }, index) => (target ? [link(`https://t.co/${index}x`, target)] : []));
  const text = pieces.map((one, index) => (one.target ? `https://t.co/${index}x` : escaped(one.text))).join(' ');
  return { text, entities: { urls } };
}

test('any text is recognized in what X makes of it', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      expect(isTextOf(shownBy(pieces), pieces.map(({ text }) => text).join(' '))).toBe(true);
    }),
  );
});

test('no text is recognized with a word more or another link', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const written = pieces.map(({ text }) => text).join(' ');
      expect(isTextOf(shownBy(pieces), `${written} more`)).toBe(false);
      expect(
        isTextOf(shownBy([...pieces, { text: '', target: 'https://a.example/1' }]), `${written} https://a.example/2`),
      ).toBe(false);
    }),
  );
});
