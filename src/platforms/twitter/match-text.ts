import { normalizeText } from '../../foundation/text/normalize-text.ts';
import type { Post } from './api.ts';

/**
 * Whether a post that X lists has this text. X replaces every link, also a bare `example.com`, by a t.co link that leads to
 * it, escapes `&`, `<` and `>` as in HTML, and does not keep all white space.
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

/** Undoes any number of escapes, so that it works for text as it was sent and as it is listed. */
export function comparable(text: string): string {
  const plain = text
    .replace(/&(?:amp;)+/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>');
  return normalizeText(plain).replace(/\s+/g, ' ').trim();
}

const prefixLength = (text: string, at: number, piece: string) => (text.startsWith(piece, at) ? piece.length : null);

/** Longer than any real link, and far shorter than a text without blanks may be. */
const maxLinkLength = 2048;

/** The length of the longest link to one of the targets that begins at this place in the text. */
function linkLength(text: string, at: number, targets: string[]): number | null {
  const wanted = new Set(targets.map(address));
  const [run = ''] = text.slice(at, at + maxLinkLength).split(' ', 1);
  for (let length = run.length; length > 0; length -= 1) {
    if (wanted.has(address(run.slice(0, length)))) return length;
  }
  return null;
}

/** Where a link leads, however it is written: without a scheme, with capitals in the host, with non-ASCII letters. */
function address(link: string): string {
  const bare = comparable(link).replace(/^https?:\/\//i, '');
  if (!URL.canParse(`https://${bare}`)) return bare;
  const { host, pathname, search, hash } = new URL(`https://${bare}`);
  return host + pathname + search + hash;
}
