import { findLinks } from './links.ts';

/** Every link has this weight, because X shows it as a t.co address. */
const linkWeight = 23;
const emojiWeight = 2;
const lightRanges = [
  [0, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;
const emojiOrCharacter = /\p{RGI_Emoji}|[#*0-9]\uFE0F?\u20E3|\p{Emoji_Presentation}\uFE0F?|[\s\S]/gv;

/**
 * Implements configuration 3 of X's text library: normalized text, 1 for light scripts, 2 for other characters and
 * emojis, 23 for a link.
 */
export function weightedLength(text: string): number {
  const composed = text.normalize('NFC');
  let weight = 0;
  let position = 0;
  for (const { start, end } of findLinks(composed)) {
    weight += weighPlain(composed.slice(position, start)) + linkWeight;
    position = end;
  }
  return weight + weighPlain(composed.slice(position));
}

function weighPlain(text: string): number {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text.length;
  let weight = 0;
  for (const [found] of text.matchAll(emojiOrCharacter)) weight += weighOne(found);
  return weight;
}

function weighOne(found: string): number {
  const point = found.codePointAt(0) ?? 0;
  const isSingle = String.fromCodePoint(point).length === found.length;
  if (!isSingle) return emojiWeight;
  return lightRanges.some(([first, last]) => point >= first && point <= last) ? 1 : 2;
}
