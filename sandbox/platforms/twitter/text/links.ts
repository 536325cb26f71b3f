import { topLevelDomains } from './top-level-domains.ts';

export interface Link {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

const anyLabel = String.raw`[\p{L}\p{N}\p{M}_-]+`;
const latinLabel = '[a-z0-9\u00c0-\u024f-]+';
const pathCharacters = String.raw`[\p{L}\p{M}0-9!*';:=+,.$\/%#\[\]\-\u2013_~@|&()]*`;
const candidate = new RegExp(
  [
    '(?<![a-z0-9@＠$#＃])',
    `(?:https?:\\/\\/(?<host>(?:${anyLabel}\\.)+${anyLabel})|(?<bare>(?:${latinLabel}\\.)+${latinLabel}))`,
    '(?<port>:\\d+)?',
    `(?<path>\\/${pathCharacters})?`,
    String.raw`(?<query>\?[a-z0-9!?*'@();:&=+$\/%#\[\]\-_.,~|]*[a-z0-9\-_&=#\/])?`,
  ].join(''),
  'giu',
);
/** Characters that may be inside a path but not at its end, because a full stop after a link is text. */
const pathTail = /[!*';:,.$%[\]~@|&\u2013]+$/u;

/** Finds links as X does: `https://` is optional, but the top-level domain must be known. */
export function findLinks(text: string): Link[] {
  if (!text.includes('.')) return [];
  return Array.from(text.matchAll(candidate), (match) => readLink(text, match)).filter((link) => link !== null);
}

function readLink(text: string, match: RegExpMatchArray): Link | null {
  const { host, bare, port = '', path = '', query = '' } = match.groups ?? {};
  const start = match.index ?? 0;
  const name = host ?? bare ?? '';
  if (bare !== undefined && /[-_./]/.test(text.charAt(start - 1))) return null;
  const schemeLength = match[0].indexOf(name);
  const nameEnd = start + schemeLength + name.length;
  const known = cutToKnownEnding(name, /[@+]/.test(text.charAt(nameEnd)));
  if (known === '') return null;
  const shownPath = trimPath(path);
  let rest = '';
  if (known === name) rest = port + shownPath + (shownPath === path ? query : '');
  const end = start + schemeLength + known.length + rest.length;
  return { start, end, url: text.slice(start, end) };
}

/** `example.com.nowhere` is a link to `example.com` followed by text. */
function cutToKnownEnding(name: string, isJoined: boolean): string {
  const labels = name.split('.');
  if (isJoined) labels.pop();
  while (labels.length > 1 && !isKnown(labels.at(-1) ?? '')) labels.pop();
  return labels.length > 1 ? labels.join('.') : '';
}

function isKnown(ending: string): boolean {
  return topLevelDomains.has(ending.toLowerCase()) || /^xn--[a-z0-9-]+$/i.test(ending);
}

/** A bracket belongs to the link only if its partner does. */
function trimPath(path: string): string {
  const opened: number[] = [];
  let end = path.length;
  for (let index = 0; index < end; index += 1) {
    if (path[index] === '(') opened.push(index);
    else if (path[index] === ')' && opened.pop() === undefined) end = index;
  }
  return path.slice(0, opened[0] ?? end).replace(pathTail, '');
}
