import type { output } from 'zod';
import type { Issue, Media, PostContent } from '../kit/index.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;
/** Parameters of a container, as Instagram names them. */
export type Draft = Record<string, string>;

/** One image or video: a post with a caption, or a story, which has none. */
export async function draftOf(media: Media, post: Post): Promise<Draft> {
  const source = await sourceOf(media);
  if (isStory(post)) return { media_type: 'STORIES', ...source };
  if (media.kind === 'image') return { ...source, ...altTextOf(media), ...captionOf(post) };
  const { shareToFeed = true, coverUrl } = post.settings;
  return {
    media_type: 'REELS',
    ...source,
    ...captionOf(post),
    // What it is when left out is not documented.
    share_to_feed: String(shareToFeed),
    ...(coverUrl && { cover_url: coverUrl }),
  };
}

export async function itemDraftOf(media: Media): Promise<Draft> {
  return {
    is_carousel_item: 'true',
    ...(media.kind === 'video' && { media_type: 'VIDEO' }),
    ...(await sourceOf(media)),
    ...altTextOf(media),
  };
}

export const carouselDraftOf = (ids: readonly string[], post: Post): Draft => ({
  media_type: 'CAROUSEL',
  children: ids.join(','),
  ...captionOf(post),
});

export const isStory = ({ settings }: Pick<Post, 'settings'>) => settings.videoType === 'STORIES';

export function storyIssues(post: Post): Issue[] {
  if (!isStory(post) || post.media.length <= 1) return [];
  return [{ code: 'MEDIA_COUNT_EXCEEDED', message: oneMedium, field: 'media' }];
}
export const oneMedium = 'A story on Instagram is one image or one video.';

async function sourceOf(media: Media): Promise<Draft> {
  const { href } = await media.url();
  return media.kind === 'video' ? { video_url: href } : { image_url: href };
}

const altTextOf = ({ kind, altText }: Media): Draft => (kind === 'image' && altText ? { alt_text: altText } : {});
const captionOf = ({ text }: Post): Draft => (text ? { caption: text } : {});
