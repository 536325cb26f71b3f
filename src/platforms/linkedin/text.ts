import type { Issue } from '../kit/index.ts';

/**
 * Text in LinkedIn's "little text format": reserved characters are escaped, because LinkedIn cuts the post off at an
 * unescaped one; mentions are links to members and companies; hashtags stay as they are.
 */
export function littleText(text: string): string {
  let written = '';
  let end = 0;
  for (const { index, 0: whole, groups = {} } of text.matchAll(mention)) {
    const { urn, name, nativeUrn = urn, nativeName = name } = groups;
    written += `${escapeText(text.slice(end, index))}@[${escapeAll(nativeName ?? '')}](${nativeUrn})`;
    end = index + whole.length;
  }
  return written + escapeText(text.slice(end));
}

/** What people read of a text in the service's own format: a mention shows only the name. */
export const visibleText = (text: string): string =>
  text.replace(mention, (...found) => {
    const { name, nativeName } = found.at(-1) as Record<string, string | undefined>;
    return name ?? nativeName ?? '';
  });

/** What people read of a little text, for comparisons. LinkedIn may write a hashtag in its long form. */
export function plainText(little: string): string {
  return little
    .replace(/\{hashtag\|\\?#\|([^{}|]*)\}/g, '#$1')
    .replace(/\\([|{}@[\]()<>#\\*_~])/g, '$1')
    .trim();
}

/** The id in the address of a profile looks like a member's id, but the API does not know it. */
export function mentionIssues(text: string): Issue[] {
  if (![...text.matchAll(mention)].some(({ 0: whole }) => /urn:li:person:ACoAA/.test(whole))) return [];
  const message =
    'LinkedIn cannot render mentions that use web-profile ids (urn:li:person:ACoAA…). Use the native member id.';
  return [{ code: 'INVALID_PLATFORM_CONTENT', message, field: 'content' }];
}

/** `@{urn|Name}`, as in the service's API, or LinkedIn's own `@[Name](urn)`. */
const mention =
  /@\{(?<urn>urn:li:(?:person|organization):[\w-]+)\|(?<name>[^{}|\n]+)\}|@\[(?<nativeName>[^[\]\n]+)\]\((?<nativeUrn>urn:li:(?:person|organization):[\w-]+)\)/g;

/** A `#` that begins a hashtag, or a reserved character. The character before a `#` tells a hashtag from the end of a link. */
const reservedOrHashtag = /(?<![\p{L}\p{N}_&#/=?%)+~-])#(?=[\p{L}\p{N}])|(?<reserved>[|{}@[\]()<>#\\*_~])/gu;

const escapeText = (text: string) =>
  text.replace(reservedOrHashtag, (character, reserved?: string) => (reserved ? `\\${reserved}` : character));
const escapeAll = (text: string) => text.replace(/[|{}@[\]()<>#\\*_~]/g, '\\$&');
