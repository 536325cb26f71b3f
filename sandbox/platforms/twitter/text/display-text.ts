import { createHash } from 'node:crypto';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { mediaKey } from '../media/present.ts';
import { findLinks } from './links.ts';
import { weightedLength } from './text-length.ts';

/** A heavier post has only its beginning in `text` and the whole text in `note_tweet`. */
export const shortPostWeight = 280;
const beginningWeight = 270;
const displayedCharacters = 26;

interface ShownUrl {
  readonly url: string;
  readonly expanded_url: string;
  readonly display_url: string;
  readonly media_key?: string;
}

export interface DisplayText {
  readonly text: string;
  readonly entities: Record<string, unknown[]>;
}

/** The `text` of a post has t.co links, escaped `&`, `<` and `>`, and a link to its media or quoted post at the end. */
export function displayText(call: Call, post: Post): DisplayText {
  const isLong = weightedLength(post.text) > shortPostWeight;
  return display(post, isLong ? beginningOf(post.text) : post.text, endingUrls(call, post));
}

/** Only long posts have a `note_tweet`. */
export function displayNote(post: Post): DisplayText | undefined {
  return weightedLength(post.text) > shortPostWeight ? display(post, post.text, []) : undefined;
}

export function countCashtags(text: string): number {
  return Array.from(text.matchAll(cashtag)).length;
}

function display(post: Post, source: string, ending: readonly ShownUrl[]): DisplayText {
  let text = '';
  const urls: unknown[] = [];
  let position = 0;
  const add = (shown: ShownUrl) => {
    const start = countCharacters(text);
    text += shown.url;
    urls.push({ start, end: countCharacters(text), ...shown });
  };
  for (const [index, { start, end, url }] of findLinks(source).entries()) {
    text += escapeMarkup(source.slice(position, start));
    add(shorten(post, index, url));
    position = end;
  }
  text += escapeMarkup(source.slice(position));
  for (const shown of ending) {
    if (text !== '') text += ' ';
    add(shown);
  }
  return { text, entities: { ...(urls.length > 0 && { urls }), ...tagsIn(text) } };
}

function endingUrls(call: Call, post: Post): ShownUrl[] {
  const found: ShownUrl[] = [];
  const { quotedId } = post.data;
  if (typeof quotedId === 'string') {
    const quoted = call.sandbox.store.posts.find('twitter', quotedId);
    if (quoted) found.push(shorten(post, 'quoted', quoted.url));
  }
  const url = shortAddress(post, 'media');
  const display_url = url.replace('https://t.co', 'pic.x.com');
  for (const media of post.media.flatMap((id) => call.sandbox.store.media.find('twitter', id) ?? []).slice(0, 1)) {
    const page = media.kind === 'image' ? 'photo' : 'video';
    found.push({ url, expanded_url: `${post.url}/${page}/1`, display_url, media_key: mediaKey(media) });
  }
  return found;
}

function shorten(post: Post, name: string | number, address: string): ShownUrl {
  const expanded_url = /^https?:\/\//i.test(address) ? address : `http://${address}`;
  const bare = address.replace(/^https?:\/\/(www\.)?/i, '');
  const display_url = bare.length > displayedCharacters ? `${bare.slice(0, displayedCharacters)}…` : bare;
  return { url: shortAddress(post, name), expanded_url, display_url };
}

function shortAddress(post: Post, name: string | number): string {
  const hash = createHash('sha256').update(`${post.id} ${name}`).digest('base64').replace(/[+/=]/g, '');
  return `https://t.co/${hash.slice(0, 10)}`;
}

/** Cuts at the last space that leaves the text short enough, without an ellipsis. */
function beginningOf(text: string): string {
  let beginning = '';
  for (const word of text.split(/(?<=\s)/)) {
    if (weightedLength(beginning + word) > beginningWeight) break;
    beginning += word;
  }
  return beginning === ''
    ? Array.from(text)
        .slice(0, beginningWeight / 2)
        .join('')
    : beginning.trimEnd();
}

const cashtag = /(?<=^|\s)\$(?<name>[a-z]{1,6}(?:[._][a-z]{1,2})?)(?=$|[\s\p{P}])/giu;

function tagsIn(text: string): Record<string, unknown[]> {
  const kinds: [name: string, key: string, pattern: RegExp][] = [
    ['hashtags', 'tag', /(?<![\p{L}\p{N}_&/])#(?<name>[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*)/gu],
    ['mentions', 'username', /(?<![\w@])@(?<name>\w{1,15})(?![\w@])/g],
    ['cashtags', 'tag', cashtag],
  ];
  const found = kinds.map(([name, key, pattern]) => {
    const entities = Array.from(text.matchAll(pattern), (match) => {
      const start = countCharacters(text.slice(0, match.index));
      return { start, end: start + countCharacters(match[0]), [key]: match.groups?.name };
    });
    return [name, entities] as const;
  });
  return Object.fromEntries(found.filter(([, entities]) => entities.length > 0));
}

function countCharacters(text: string): number {
  return Array.from(text).length;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
