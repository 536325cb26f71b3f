import { refuse } from '../../graph/errors.ts';
import { invalidParam } from './errors.ts';

const maxLength = 500;
const maxLinks = 5;

export function checkText(text: string, link: string): void {
  if (lengthOf(text) > maxLength) invalidParam(`Param text must be at most ${maxLength} characters long.`);
  const inText = (text.match(/https?:\/\/\S+/gi) ?? []).map((found) => found.replace(/[^\w/=-]+$/, ''));
  const links = new Set([...inText, ...(link === '' ? [] : [link])]);
  if (links.size <= maxLinks) return;
  refuse('THREADS_API__LINK_LIMIT_EXCEEDED', {
    code: 100,
    type: 'THApiException',
    userMessage: ['Link limit exceeded', `A post can have at most ${maxLinks} different links.`],
  });
}

/** Counts characters, but emojis by their UTF-8 bytes: a family emoji counts 25. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += isEmoji(segment) ? Buffer.byteLength(segment) : [...segment].length;
  }
  return length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function isEmoji(grapheme: string): boolean {
  return /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(grapheme);
}
