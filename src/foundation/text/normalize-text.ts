/**
 * The composed form of a text (NFC). Composing takes quadratic time in the longest run of combining marks, so a run
 * longer than any language uses is composed in pieces.
 */
export const normalizeText = (text: string): string =>
  longRun.test(text) ? text.replace(/\P{M}*\p{M}{0,64}/gu, (piece) => piece.normalize('NFC')) : text.normalize('NFC');

const longRun = /(?<!\p{M})\p{M}{65}/u;
