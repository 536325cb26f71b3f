import type { output } from 'zod';
import type { PostContent, RemotePost } from '../kit/index.ts';
import { limits } from './limits.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;

/** What is said of a video, under the network's own names. */
export interface Draft {
  snippet: { title: string; description: string; tags?: string[]; categoryId: string };
  status: { privacyStatus: 'private' | 'public' | 'unlisted'; selfDeclaredMadeForKids: boolean };
}

/** "People & Blogs", which YouTube itself takes where none is chosen. */
const anyCategory = '22';

export function draftOf({ text, settings }: Post): Draft {
  const { title, tags = [], categoryId = anyCategory, privacy, madeForKids } = settings;
  const words = tags.map(withoutBrackets).filter((tag) => tag.trim());
  return {
    snippet: {
      title: titleFrom(title) || titleFrom(beginningOf(text)) || 'Video',
      description: descriptionFrom(text),
      ...(words.length > 0 && { tags: words }),
      categoryId,
    },
    status: { privacyStatus: privacy, selfDeclaredMadeForKids: madeForKids },
  };
}

/** Shorts, too, are found there. */
export const remotePost = (id: string): RemotePost => ({ id, url: `https://www.youtube.com/watch?v=${id}` });

/** One line. YouTube refuses angle brackets, and with them the video. */
const titleFrom = (text: string) => withoutBrackets(text).replaceAll(/\s+/g, ' ').trim();

const withoutBrackets = (text: string) => text.replaceAll(/[<>]/g, '');

/** With brackets that look alike, which take three bytes each: a text that has no room for them goes without. */
function descriptionFrom(text: string): string {
  const shown = text.replaceAll('<', '‹').replaceAll('>', '›');
  return Buffer.byteLength(shown) <= limits.text.maxBytes ? shown : withoutBrackets(text);
}

const beginningLength = 70;

/** Ends between two characters as people see them. */
function beginningOf(text: string): string {
  const start = text.trimStart();
  let length = 0;
  for (const { segment, index } of graphemes.segment(start)) {
    if (index + segment.length > beginningLength) break;
    length = index + segment.length;
  }
  return start.slice(0, length);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
