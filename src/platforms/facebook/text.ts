/** The first address in a text, for Facebook to show a preview of. */
export function firstLinkIn(text: string): string | null {
  for (const [written] of text.matchAll(address)) {
    const link = withoutSentence(written);
    if (URL.parse(link)?.hostname.includes('.')) return link;
  }
  return null;
}

// An address ends where Chinese, Japanese or Korean begins, which follows it without a space.
const address = /(?<!\w)https?:\/\/[[\x21-\x7e\p{L}\p{M}\p{N}]--[<>"\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]+/giv;

const openings: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Without what belongs to the sentence around it: `(see https://example.com/a_(b).)` has `https://example.com/a_(b)`. */
function withoutSentence(written: string): string {
  const counts = new Map<string, number>();
  const count = (character: string) => counts.get(character) ?? 0;
  for (const character of written) counts.set(character, count(character) + 1);
  let end = written.length;
  for (; end > 0; end -= 1) {
    const last = written[end - 1] ?? '';
    const opening = openings[last];
    const belongs = opening ? count(opening) >= count(last) : !/[.,;:!?'*_~]/.test(last);
    if (belongs) break;
    counts.set(last, count(last) - 1);
  }
  return written.slice(0, end);
}
