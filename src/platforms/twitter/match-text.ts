import { domainToUnicode } from 'node:url';
import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { normalizeText } from '../../foundation/text/normalize-text.ts';
import type { Post } from './api.ts';

/**
 * Whether a post listed by X has this text. X replaces every link, even a bare `example.com`, with a t.co link that
 * leads to it, escapes `&`, `<` and `>` as in HTML, and does not preserve all white space.
 */
export function isTextOf(post: Pick<Post, 'text' | 'entities'> & Partial<Pick<Post, 'note'>>, sent: string): boolean {
  const { text, entities } = post.note ?? post;
  const targets = new Map(entities?.urls.map(({ url, expanded_url: target = url }) => [url, target]));
  const written = comparable(sent);
  let at = 0;
  for (const piece of comparable(text).split(shortLink)) {
    const target = targets.get(piece);
    const found = target === undefined ? prefixLength(written, at, piece) : linkLength(written, at, [piece, target]);
    if (found === null) return false;
    at += found;
  }
  return at === written.length;
}

const shortLink = /(https?:\/\/t\.co\/\w+)/;

/** Undoes any number of escapes, so that it works for text as sent and as listed. */
export function comparable(text: string): string {
  const plain = text
    .replace(/&(?:amp;)+/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>');
  return normalizeText(plain).replace(/\s+/g, ' ').trim();
}

const prefixLength = (text: string, at: number, piece: string) => (text.startsWith(piece, at) ? piece.length : null);

/** The length of the longest spelling of a target at this position in the text. */
function linkLength(text: string, at: number, targets: string[]): number | null {
  const scheme = /^https?:\/\//i.exec(text.slice(at, at + 8))?.[0].length ?? 0;
  const lengths = targets
    .flatMap((target) => waysToWrite(comparable(target).replace(/^https?:\/\//i, '')))
    .flatMap(([host, rest]) => {
      const start = at + scheme + host.length;
      const isHost = text.slice(at + scheme, start).toLowerCase() === host.toLowerCase();
      const length = isHost ? pathLength(text, start, rest) : null;
      return length === null ? [] : [scheme + host.length + length];
    });
  return lengths.length === 0 ? null : Math.max(...lengths);
}

/**
 * Host and rest of a URL as X returns it, as the URL parser writes it, and with the letters of an international name.
 */
function waysToWrite(bare: string): [host: string, rest: string][] {
  const [given = ''] = bare.split(/[/\\?#]/, 1);
  const written = { host: given, pathname: bare.slice(given.length), search: '', hash: '' };
  const { host, pathname, search, hash } = parseUrl(`https://${bare}`) ?? written;
  const hosts = new Set([given, host, host.replace(/^[^:]+/, domainToUnicode)]);
  const rests = new Set([written.pathname, pathname + search + hash]);
  // A URL without a path leads to `/`.
  if (pathname === '/' && !search && !hash) rests.add('');
  return [...hosts].flatMap((one) => [...rests].map((rest): [string, string] => [one, rest]));
}

/** How many characters of the text match this path. Each can be written plainly or percent-encoded. */
function pathLength(text: string, start: number, path: string): number | null {
  let [at, matched] = [start, 0];
  while (matched < path.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const form = [character, percentEncoded(character)].find((one) => path.startsWith(one, matched));
    if (form === undefined) return null;
    at += character.length;
    matched += form.length;
  }
  return at - start;
}

const percentEncoded = (character: string) =>
  character === "'" ? '%27' : encodeURIComponent(character.toWellFormed());
