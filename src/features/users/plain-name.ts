/**
 * Removes HTML tags, complete or not, and characters that are invisible or change the text direction: with them, a
 * name could look like another one. Uses a single pass, because anyone may send a name.
 */
export function plainName(text: string): string {
  const kept: string[] = [];
  /** The position in the kept text of the first unclosed tag. */
  let open = -1;
  for (const character of text.replace(invisible, '$1')) {
    if (character === '>' && open >= 0) {
      // The following text may form another tag with the text before this one, as in `<<b>b>`.
      kept.length = open;
      open = -1;
    } else {
      if (open < 0 && kept.at(-1) === '<' && startsTag.test(character)) open = kept.length - 1;
      kept.push(character);
    }
  }
  return kept
    .slice(0, open < 0 ? kept.length : open)
    .join('')
    .trim();
}

/** `a < b` and `<3` are not tags. */
const startsTag = /^[a-z/!?]$/i;

/** Scripts in which a joiner changes the shape of adjacent letters. */
const joined =
  '[\\p{sc=Arab}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}]';
const visible = [
  // 👩‍🚀, and the colour of ❤️ and 1️⃣.
  '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})',
  '(?<=\\p{ExtPict})\\ufe0f',
  '\\ufe0f(?=\\u20e3)',
  `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
];
const invisible = new RegExp(`(${visible.join('|')})|[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{DI}]`, 'gu');
