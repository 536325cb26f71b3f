import { z } from 'zod';
import type { PublishContext } from '../kit/index.ts';
import { api, type Credentials, call } from './api.ts';

type Ctx = PublishContext<Credentials>;

/** A YouTube playlist may contain a video twice, so check first. */
export async function addToPlaylist(playlistId: string, videoId: string, ctx: Ctx): Promise<void> {
  if (await contains(playlistId, videoId, ctx)) return;
  const { accessToken } = ctx.credentials;
  const body = { snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId } } };
  const request = { url: `${api}/playlistItems`, query: { part: 'snippet' }, accessToken, body };
  await call(z.object({ id: z.string() }), request, ctx);
}

async function contains(playlistId: string, videoId: string, ctx: Ctx): Promise<boolean> {
  const { accessToken } = ctx.credentials;
  const query = { part: 'id', playlistId, videoId };
  const Items = z.object({ items: z.array(z.unknown()).default([]) });
  return (await call(Items, { url: `${api}/playlistItems`, query, accessToken }, ctx)).items.length > 0;
}
