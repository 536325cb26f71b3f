import { parseUrl } from '../../foundation/lib/parse-url.ts';
/** The first URL in a text, for which Facebook shows a preview. */
export function firstLinkIn(text: string): string | null {
  for (const [match] of text.matchAll(address)) {
    const link = withoutPunctuation(match);
    if (parseUrl(link)?.hostname.includes('.')) return link;
  }
  return null;
}

// Chinese, Japanese and Korean text follows a URL without a space, so it ends the URL.
const address = /(?<!\w)https?:\/\/[[\x21-\x7e\p{L}\p{M}\p{N}]--[<>"\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]+/giv;

const openings: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Strips the sentence's punctuation around a URL: `(see https://example.com/a_(b).)` → `https://example.com/a_(b)`. */
function withoutPunctuation(match: string): string {
  const counts = new Map<string, number>();
  const count = (character: string) => counts.get(character) ?? 0;
  for (const character of match) counts.set(character, count(character) + 1);
  let end = match.length;
  for (; end > 0; end -= 1) {
    const last = match[end - 1] ?? '';
    const opening = openings[last];
    const isPartOfLink = opening ? count(opening) >= count(last) : !/[.,;:!?'*_~]/.test(last);
    if (isPartOfLink) break;
    counts.set(last, count(last) - 1);
  }
  return match.slice(0, end);
}
