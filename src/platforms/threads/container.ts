import { type output, z } from 'zod';
import type { ContainerApi, ContainerParameters } from '../graph/container.ts';
import type { Media, PostContent } from '../kit/index.ts';
import { call } from './api.ts';
import { containerFailure, name } from './failure.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;

const ContainerStatus = z.object({ status: z.string(), error_message: z.string().nullish() });

export const containerApi: ContainerApi = {
  name,
  call,
  edge: 'threads',
  pollSeconds: 3,
  processingDeadlineMs: 30 * 60_000,
  failureOf: containerFailure,

  async readStatus(id, ctx) {
    const query = { fields: 'id,status,error_message' };
    const { status, error_message } = await call(ContainerStatus, { path: `/${id}`, query }, ctx);
    return { status, reason: error_message || status };
  },
};

/** Only the first part of a thread sets who may reply. */
export async function postParameters(
  { text, media, settings }: Post,
  itemIds: readonly string[],
  replyTo: string | null,
) {
  return {
    ...(itemIds.length > 0 ? carouselParameters(itemIds) : await mediaParameters(media[0])),
    ...(text && { text }),
    ...(replyTo && { reply_to_id: replyTo }),
    ...(!replyTo && settings.replyControl && { reply_control: settings.replyControl }),
  };
}

export const itemParameters = async (media: Media): Promise<ContainerParameters> => ({
  ...(await mediaParameters(media)),
  is_carousel_item: 'true',
});

async function mediaParameters(media: Media | undefined): Promise<ContainerParameters> {
  if (!media) return { media_type: 'TEXT' };
  const { href } = await media.url();
  return {
    ...(media.kind === 'video' ? { media_type: 'VIDEO', video_url: href } : { media_type: 'IMAGE', image_url: href }),
    ...(media.altText && { alt_text: media.altText }),
  };
}

const carouselParameters = (itemIds: readonly string[]): ContainerParameters => ({
  media_type: 'CAROUSEL',
  children: itemIds.join(','),
});
