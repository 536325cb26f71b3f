import { graphemesOf } from './graphemes.ts';
import type { Pausable } from './in-turns.ts';
import { type Counting, textLength } from './length.ts';

/** A piece of text that is never split: a grapheme, or a link, mention or hashtag that fits into a part. */
export interface Atom {
  text: string;
  length: number;
  isBlank: boolean;
}

/** A grapheme outside every token is its own atom; one that overlaps a token belongs to the token. */
export function* toAtoms(text: string, limit: number, counting: Counting): Pausable<Atom[]> {
  const toAtom = cachingAtoms(counting);
  const tokens = text.matchAll(token);
  const atoms: Atom[] = [];
  let next = tokens.next().value;
  let inside: Atom[] = [];
  let index = 0;
  for (const [i, grapheme] of (yield* graphemesOf(text)).entries()) {
    while (next && next.index + next[0].length <= index) {
      closeToken();
      next = tokens.next().value;
    }
    index += grapheme.length;
    (next && next.index < index ? inside : atoms).push(toAtom(grapheme));
    if (i % 2048 === 0) yield;
  }
  closeToken();
  return atoms;

  function closeToken() {
    const whole = inside.length > 1 ? joined(inside, counting) : null;
    if (whole && whole.length <= limit) atoms.push(whole);
    else for (const atom of inside) atoms.push(atom);
    inside = [];
  }
}

function joined(pieces: readonly Atom[], counting: Counting): Atom {
  const text = pieces.map((piece) => piece.text).join('');
  const length = lengthsAddUp(counting)
    ? pieces.reduce((sum, piece) => sum + piece.length, 0)
    : textLength(text, counting.unit, counting.urlLength);
  return { text, length, isBlank: false };
}

/** False if links or mentions have a special length, because the text before one can turn it into plain text. */
export const lengthsAddUp = ({ unit, urlLength }: Counting) => unit !== 'fediverse' && urlLength === undefined;

/** Counting is far slower than a lookup, and a text repeats its characters. */
function cachingAtoms({ unit }: Counting): (text: string) => Atom {
  const known = new Map<string, Atom>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const atom = { text, length: textLength(text, unit), isBlank: /^\s+$/.test(text) };
    known.set(text, atom);
    return atom;
  };
}

// Chinese, Japanese and Korean text may follow a link or mention without a space, so the token ends there. Punctuation
// after a link may count as part of it here: that only moves a cut.
const linkChar = '[[\\x21-\\x7e\\p{L}\\p{M}\\p{N}]--[<>"\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}]]';
const link = `(?:https?://|www\\.)${linkChar}+`;
const mention = '@\\w[\\w.\\-]*(?:@\\w[\\w.\\-]*)?';
const hashtag = '[#＃][\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_\\u200c\\u200d]*';
const token = new RegExp(`${link}|${mention}|${hashtag}`, 'giv');
