import type { Issue } from '../kit/index.ts';

/**
 * Text in LinkedIn's "little text format": reserved characters are escaped, because LinkedIn cuts the post off at an
 * unescaped one; mentions become links to members and companies; hashtags stay unchanged.
 */
export function littleText(text: string): string {
  let written = '';
  let end = 0;
  for (const { index, whole, urn, name } of mentionsIn(text)) {
    written += `${escapeText(text.slice(end, index))}@[${escapeAll(name)}](${urn})`;
    end = index + whole.length;
  }
  return written + escapeText(text.slice(end));
}

/** The message of a comment. */
export type Message = { text: string; attributes: Attribute[] };
type Attribute = { start: number; length: number; value: { [entity: string]: { [field: string]: string } } };

/**
 * The text of a comment: plain, because LinkedIn would show the escapes of the little text format. A mention is an
 * attribute of the visible name.
 */
export function plainMessage(text: string): Message {
  const attributes: Attribute[] = [];
  let written = '';
  let end = 0;
  for (const { index, whole, urn, name } of mentionsIn(text)) {
    written += text.slice(end, index);
    attributes.push({ start: written.length, length: name.length, value: entityOf(urn) });
    written += name;
    end = index + whole.length;
  }
  return { text: written + text.slice(end), attributes };
}

/** The visible text of a little text, for comparisons. LinkedIn may write a hashtag in its long form. */
export function plainText(little: string): string {
  return little
    .replace(/\{hashtag\|\\?#\|([^{}|]*)\}/g, '#$1')
    .replace(/\\([|{}@[\]()<>#\\*_~])/g, '$1')
    .trim();
}

/** The id in a profile URL looks like a member's id, but the API does not know it. */
export function mentionIssues(text: string): Issue[] {
  if (!webProfileMention.test(text)) return [];
  const message =
    'LinkedIn cannot render mentions that use web-profile ids (urn:li:person:ACoAA…). Use the native member id.';
  return [{ code: 'INVALID_PLATFORM_CONTENT', message, field: 'content' }];
}

const entityOf = (urn: string): Attribute['value'] =>
  urn.startsWith('urn:li:organization:')
    ? { 'com.linkedin.common.CompanyAttributedEntity': { company: urn } }
    : { 'com.linkedin.common.MemberAttributedEntity': { member: urn } };

function mentionsIn(text: string) {
  return Array.from(text.matchAll(mention), ({ index, 0: whole, groups = {} }) => {
    const { urn = groups.nativeUrn ?? '', name = groups.nativeName ?? '' } = groups;
    return { index, whole, urn, name };
  });
}

/** `@{urn|Name}`, as in Crier's API, or LinkedIn's own `@[Name](urn)`. */
const mention =
  /@\{(?<urn>urn:li:(?:person|organization):[\w-]+)\|(?<name>[^{}|\n]+)\}|@\[(?<nativeName>[^[\]\n]+)\]\((?<nativeUrn>urn:li:(?:person|organization):[\w-]+)\)/g;

/** Such an id may contain a dot, unlike a member's id. */
const webProfileMention = /@\{urn:li:person:ACoAA[^{}|\s]*\|[^{}|\n]+\}|@\[[^[\]\n]+\]\(urn:li:person:ACoAA[^()\s]*\)/;

/**
 * A `#` that starts a hashtag, or a reserved character. The character before a `#` distinguishes a hashtag from the end
 * of a link.
 */
const reservedOrHashtag = /(?<![\p{L}\p{N}_&#/=?%)+~-])#(?=[\p{L}\p{N}])|(?<reserved>[|{}@[\]()<>#\\*_~])/gu;

const escapeText = (text: string) =>
  text.replace(reservedOrHashtag, (character, reserved?: string) => (reserved ? `\\${reserved}` : character));
const escapeAll = (text: string) => text.replace(/[|{}@[\]()<>#\\*_~]/g, '\\$&');
