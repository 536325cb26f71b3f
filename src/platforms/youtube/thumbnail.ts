import { z } from 'zod';
import type { Media, PublishContext } from '../kit/index.ts';
import { type Credentials, call, uploadApi } from './api.ts';

/** YouTube accepts thumbnails only from verified channels. */
export async function setThumbnail(image: Media, videoId: string, ctx: PublishContext<Credentials>): Promise<void> {
  const request = {
    url: `${uploadApi}/thumbnails/set`,
    query: { videoId, uploadType: 'media' },
    accessToken: ctx.credentials.accessToken,
    headers: { 'content-type': image.type },
    body: await image.blob(),
  };
  await call(z.unknown(), request, ctx);
}
