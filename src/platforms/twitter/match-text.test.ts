import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
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
  [
    'a link before a question mark',
    'Is it https://a.example/x?',
    'Is it https://t.co/1?',
    [link('https://t.co/1', 'https://a.example/x')],
  ],
  [
    'a link to a folder before a full stop',
    'See https://a.example/x/.',
    'See https://t.co/1.',
    [link('https://t.co/1', 'https://a.example/x/')],
  ],
  [
    'an international name',
    'See BÜCHER.example',
    'See https://t.co/1',
    [link('https://t.co/1', 'http://xn--bcher-kva.example')],
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

/** Tries every end of a link, which takes cubic time for a text without spaces. */
function linkByTrying(run: string, target: string): number | null {
  for (let length = run.length; length > 0; length -= 1) {
    if (addressOf(run.slice(0, length)) === addressOf(target)) return length;
  }
  return null;
}

function addressOf(link: string): string {
  const bare = link.normalize('NFC').replace(/^https?:\/\//i, '');
  const { host, pathname, search, hash } = URL.parse(`https://${bare}`) ?? { host: bare };
  return host + (pathname ?? '') + (search ?? '') + (hash ?? '');
}

/** Ways to write the same URL, and other URLs. */
const rewritten = fc.constantFrom<(url: string) => string>(
  (url) => url,
  (url) => url.replace(/^https?:\/\//, ''),
  (url) => url.replace(/^https?:\/\/[^/?#]+/, (origin) => origin.toUpperCase()),
  (url) => URL.parse(url)?.href ?? url,
  (url) => url.replace(/(?:%[c-f]\w(?:%[89ab]\w)+)+/gi, (encoded) => decodeURIComponent(encoded).normalize('NFC')),
  (url) => url.slice(0, -1),
  (url) => `${url}x`,
);

test('the end of a link is found where trying every end finds it', () => {
  const following = fc.constantFrom('', 'を見て', '"', '}', '!');
  fc.assert(
    fc.property(anyUrl({ withQuery: true, withFragment: true }), rewritten, following, (url, rewrite, after) => {
      // The URL parser drops a trailing `.`, `?` or `#`, so brute force would also take those of the sentence.
      fc.pre(!/[/.?#]$/.test(url));
      const [sent] = rewrite(url).split(/\s/);
      const expected = linkByTrying(sent! + after, url);
      const shown = { text: `https://t.co/1${after}`, entities: { urls: [link('https://t.co/1', url)] } };
      expect(isTextOf(shown, sent! + after)).toBe(expected === sent!.length);
    }),
    { numRuns: 500 },
  );
});

test('a text of thousands of links without blanks is compared without trying every end', () => {
  const parse = vi.spyOn(URL, 'parse');
  onTestFinished(() => parse.mockRestore());
  const count = 4000;
  const urls = Array.from({ length: count }, (_, index) => link(`https://t.co/${index}x`, 'http://a.co'));
  const text = urls.map(({ url }) => `${url}中`).join('');
  expect(isTextOf({ text, entities: { urls } }, 'a.co中'.repeat(count))).toBe(true);
  expect(parse.mock.calls.length).toBeLessThanOrEqual(2 * count);
});
