import type { Media, PostContent, PublishContext, RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createPost } from './create-post.ts';
import { linkCard } from './link-card.ts';
import { imagesEmbed } from './upload.ts';
import { videoEmbed } from './upload-video.ts';

type Ctx = PublishContext<Credentials>;

export async function publish({ text, media }: PostContent, ctx: Ctx): Promise<RemotePost> {
  // A post has one embed: images, a video, or a link card.
  const embed = media.length > 0 ? await mediaEmbed(media, ctx) : await linkCard('card', text, ctx);
  return createPost('post', { text, ...(embed && { embed }) }, ctx);
}

function mediaEmbed(media: readonly Media[], ctx: Ctx) {
  const video = media.find(({ kind }) => kind === 'video');
  return video ? videoEmbed(video, ctx) : imagesEmbed(media, ctx);
}
