import { type CountingUnit, textLength } from './text-length.ts';

/** A piece of text that is never cut: a grapheme, or a link, mention or hashtag that fits into a part. */
export interface Atom {
  text: string;
  length: number;
  isBlank: boolean;
}

export function toAtoms(text: string, limit: number, unit: CountingUnit): Atom[] {
  const toAtom = cachingAtoms(unit);
  return tokensAndGraphemes(text).flatMap((token) => {
    const whole = toAtom(token.join(''));
    return token.length === 1 || whole.length <= limit ? [whole] : token.map(toAtom);
  });
}

/** Counting is far slower than a look-up, and a text repeats its characters. */
function cachingAtoms(unit: CountingUnit): (text: string) => Atom {
  const known = new Map<string, Atom>();
  return (text) => {
    const atom = known.get(text) ?? { text, length: textLength(text, unit), isBlank: /^\s+$/.test(text) };
    known.set(text, atom);
    return atom;
  };
}

/** Groups graphemes by token. A grapheme outside every token is its own group; one that a token touches belongs to it. */
function tokensAndGraphemes(text: string): string[][] {
  const groups: string[][] = [];
  const tokens = text.matchAll(token);
  let next = tokens.next().value;
  let open: typeof next;
  for (const { segment, index } of graphemesOf(text)) {
    while (next && next.index + next[0].length <= index) next = tokens.next().value;
    const isInToken = next !== undefined && next.index < index + segment.length;
    if (isInToken && open === next) groups.at(-1)!.push(segment);
    else groups.push([segment]);
    open = isInToken ? next : undefined;
  }
  return groups;
}

export function graphemesOf(text: string): Intl.Segments {
  return segmenter.segment(text);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

// Chinese, Japanese and Korean text may follow a link or mention without a space, so it ends there. Punctuation behind a
// link may count as part of it here: that only moves a cut.
const linkChar = '[[\\x21-\\x7e\\p{L}\\p{M}\\p{N}]--[<>"\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}]]';
const link = `(?:https?://|www\\.)${linkChar}+`;
const mention = '@\\w[\\w.\\-]*(?:@\\w[\\w.\\-]*)?';
const hashtag = '[#＃][\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_\\u200c\\u200d]*';
const token = new RegExp(`${link}|${mention}|${hashtag}`, 'giv');
