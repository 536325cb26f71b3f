import { z } from 'zod';
import type { PublishContext } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';

type Ctx = PublishContext<Credentials>;

/** YouTube lets a playlist hold a video twice, so we look before. */
export async function addToPlaylist(playlistId: string, videoId: string, ctx: Ctx): Promise<void> {
  if (await holds(playlistId, videoId, ctx)) return;
  const { accessToken } = ctx.credentials;
  const body = { snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId } } };
  await call(
    z.object({ id: z.string() }),
    { method: 'POST', path: '/playlistItems', query: { part: 'snippet' }, accessToken, body },
    ctx,
  );
}

async function holds(playlistId: string, videoId: string, ctx: Ctx): Promise<boolean> {
  const { accessToken } = ctx.credentials;
  const query = { part: 'id', playlistId, videoId };
  const Items = z.object({ items: z.array(z.unknown()).default([]) });
  return (await call(Items, { path: '/playlistItems', query, accessToken }, ctx)).items.length > 0;
}
