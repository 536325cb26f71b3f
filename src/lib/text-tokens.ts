/** Links, mentions and hashtags in a text, as the platforms that limit their number find them. */

/** Each link once, without the punctuation after it. */
export const linksIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/https?:\/\/[^\s<>"]+/gi)].map(([link]) => link.replace(/[.,;:!?'")\]}]+$/, ''))),
];

/** A `#` or `@` inside a word or a link begins nothing. */
export const hashtagsIn = (text: string): string[] =>
  text.match(/(?<![\w&/])[#＃][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu) ?? [];
export const mentionsIn = (text: string): string[] => text.match(/(?<![\w./])@[\w.]+/g) ?? [];
