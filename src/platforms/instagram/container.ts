import { type output, z } from 'zod';
import type { ContainerApi, ContainerParameters } from '../graph/container.ts';
import type { Issue, Media, PostContent } from '../kit/index.ts';
import { call } from './api.ts';
import { containerFailure, name } from './failure.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;

const ContainerStatus = z.object({ status_code: z.string(), status: z.string().default('') });

export const containerApi: ContainerApi = {
  name,
  call,
  edge: 'media',
  pollSeconds: 5,
  processingDeadlineMs: 3_600_000,
  failureOf: containerFailure,

  async readStatus(id, ctx) {
    const query = { fields: 'status_code,status' };
    const { status_code, status } = await call(ContainerStatus, { path: `/${id}`, query }, ctx);
    return { status: status_code, reason: status || status_code };
  },
};

/** One image or video: a post with a caption, or a story, which has none. */
export async function singleParameters(media: Media, post: Post): Promise<ContainerParameters> {
  const source = await sourceOf(media);
  if (isStory(post)) return { media_type: 'STORIES', ...source };
  if (media.kind === 'image') return { ...source, ...altTextOf(media), ...captionOf(post) };
  const { shareToFeed = true, coverUrl } = post.settings;
  return {
    media_type: 'REELS',
    ...source,
    ...captionOf(post),
    // The default is not documented.
    share_to_feed: String(shareToFeed),
    ...(coverUrl && { cover_url: coverUrl }),
  };
}

export async function itemParameters(media: Media): Promise<ContainerParameters> {
  return {
    is_carousel_item: 'true',
    ...(media.kind === 'video' && { media_type: 'VIDEO' }),
    ...(await sourceOf(media)),
    ...altTextOf(media),
  };
}

export const carouselParameters = (itemIds: readonly string[], post: Post): ContainerParameters => ({
  media_type: 'CAROUSEL',
  children: itemIds.join(','),
  ...captionOf(post),
});

export const isStory = ({ settings }: Pick<Post, 'settings'>) => settings.videoType === 'STORIES';

export function storyIssues(post: Post): Issue[] {
  if (!isStory(post) || post.media.length <= 1) return [];
  return [{ code: 'MEDIA_COUNT_EXCEEDED', message: storyHoldsOne, field: 'media' }];
}
export const storyHoldsOne = 'An Instagram story has one image or one video. Remove the other media.';

async function sourceOf(media: Media): Promise<ContainerParameters> {
  const { href } = await media.url();
  return media.kind === 'video' ? { video_url: href } : { image_url: href };
}

const altTextOf = ({ kind, altText }: Media): ContainerParameters =>
  kind === 'image' && altText ? { alt_text: altText } : {};
const captionOf = ({ text }: Post): ContainerParameters => (text ? { caption: text } : {});
