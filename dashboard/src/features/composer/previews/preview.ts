import type { Connection, Media } from '@crier/client';
import { pathOf } from '../../../lib/files/media-path.ts';

/** Props shared by all previews. */
export interface PreviewProps {
  readonly channel: Connection;
  /** The posts to be published: several for a thread. */
  readonly parts: readonly string[];
  readonly media: readonly PreviewMedia[];
  /** The options for this network. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface PreviewMedia {
  readonly id: string;
  readonly kind: 'image' | 'video' | 'document';
  readonly url: string | null;
  readonly altText: string;
  /** The cover of a video, if chosen. */
  readonly poster?: string | undefined;
  readonly name: string;
}

export const previewOf = (file: Media): PreviewMedia => ({
  id: file.mediaId,
  kind: file.type ?? 'image',
  url: file.status === 'failed' || !file.url ? null : pathOf(file.url),
  altText: file.altText ?? '',
  name: file.sourceFileName ?? '',
});

type Token = { readonly kind: 'text' | 'link' | 'tag'; readonly text: string };

const pattern = /(https?:\/\/[^\s]+[^\s.,;:!?)\]}'"…])|([#@][\p{L}\p{N}_](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}_])?)/gu;

/** Splits text into plain text, links, tags and mentions. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const before = match.index > 0 ? text[match.index - 1]! : ' ';
    // Tags and mentions start a word; the @ in an email address doesn't.
    if (match[2] !== undefined && /[\p{L}\p{N}]/u.test(before)) continue;
    if (match.index > from) tokens.push({ kind: 'text', text: text.slice(from, match.index) });
    tokens.push({ kind: match[1] === undefined ? 'tag' : 'link', text: match[0] });
    from = match.index + match[0].length;
  }
  if (from < text.length) tokens.push({ kind: 'text', text: text.slice(from) });
  return tokens;
}

/** The last link, for which networks show a card. */
export const linkIn = (text: string): URL | null => {
  const link = tokensOf(text).findLast(({ kind }) => kind === 'link');
  return link && URL.canParse(link.text) ? new URL(link.text) : null;
};
