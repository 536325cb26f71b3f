/** Removes HTML tags, complete or not, and control characters from a name. */
export function plainName(text: string): string {
  let plain = text.replace(controls, '');
  // Removing a tag can form another one, as in `<<b>b>`.
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(tags, '');
  }
  return plain.trim();
}

const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** `a < b` and `<3` are not tags. */
const tags = /<[a-z/!?][^>]*(>|$)/gi;
