import { z } from 'zod';
import type { Media, PublishContext } from '../kit/index.ts';
import { type Credentials, callAsPage, Id } from './api.ts';

type Ctx = PublishContext<Credentials>;

/** The ids under which Facebook has the photos, not shown yet, in order. */
export async function uploadPhotos(media: readonly Media[], ctx: Ctx): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, one] of media.entries()) {
    // Facebook drops a photo that no post shows within a day, so a repeat does no harm.
    ids.push(await ctx.step(`upload ${index}`, () => upload(one, ctx), { replayable: true }));
  }
  return ids;
}

async function upload(media: Media, ctx: Ctx): Promise<string> {
  const body = new FormData();
  body.set('published', 'false');
  if (media.altText) body.set('alt_text_custom', media.altText);
  body.set('source', await media.blob());
  const path = `/${ctx.credentials.pageId}/photos`;
  const { id } = await callAsPage(z.object({ id: Id }), { method: 'POST', path, body }, ctx);
  return id;
}
