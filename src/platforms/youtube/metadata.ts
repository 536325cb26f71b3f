import type { output } from 'zod';
import type { PostContent } from '../kit/index.ts';
import { limits } from './limits.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;

/** The description of a video, with YouTube's field names. */
export interface VideoMetadata {
  snippet: { title: string; description: string; tags?: string[]; categoryId: string };
  status: { privacyStatus: 'private' | 'public' | 'unlisted'; selfDeclaredMadeForKids: boolean };
}

/** "People & Blogs", which is also YouTube's own default. */
const defaultCategory = '22';

export function metadataOf({ text, settings }: Post): VideoMetadata {
  const { title, tags = [], categoryId = defaultCategory, privacy, madeForKids } = settings;
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

/** One line. YouTube refuses a video with angle brackets in its title. */
const titleFrom = (text: string) => withoutBrackets(text).replaceAll(/\s+/g, ' ').trim();

const withoutBrackets = (text: string) => text.replaceAll(/[<>]/g, '');

/**
 * Replaces brackets with similar ones, which take three bytes each. If the text has no room for them, removes its
 * brackets.
 */
function descriptionFrom(text: string): string {
  const shown = text.replaceAll('<', '‹').replaceAll('>', '›');
  return Buffer.byteLength(shown) <= limits.text.maxBytes ? shown : withoutBrackets(text);
}

const beginningLength = 70;

/** Ends between two graphemes. */
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
