/** A name as plain text: no HTML tags, whole or begun, and no control characters. */
export function plainName(text: string): string {
  let plain = text.replace(controls, '');
  // Taking a tag out can put another together: `<<b>b>`.
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(tags, '');
  }
  return plain.trim();
}

const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** `a < b` and `<3` are no tags. */
const tags = /<[a-z/!?][^>]*(>|$)/gi;
