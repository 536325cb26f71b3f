import type { output } from 'zod';
import type { Media, PostContent } from '../kit/index.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;
/** Parameters of a container, as Threads names them. */
export type Draft = Record<string, string>;

/** What a part of a thread has besides its media. Who may reply is said with the first only. */
export function wordsOf({ text, settings }: Post, inReplyTo: string | null): Draft {
  return {
    ...(text && { text }),
    ...(inReplyTo && { reply_to_id: inReplyTo }),
    ...(!inReplyTo && settings.replyControl && { reply_control: settings.replyControl }),
  };
}

export async function mediumOf(media: Media | undefined): Promise<Draft> {
  if (!media) return { media_type: 'TEXT' };
  const { href } = await media.url();
  return {
    ...(media.kind === 'video' ? { media_type: 'VIDEO', video_url: href } : { media_type: 'IMAGE', image_url: href }),
    ...(media.altText && { alt_text: media.altText }),
  };
}

export const itemOf = async (media: Media): Promise<Draft> => ({
  ...(await mediumOf(media)),
  is_carousel_item: 'true',
});

export const carouselOf = (ids: readonly string[]): Draft => ({ media_type: 'CAROUSEL', children: ids.join(',') });
