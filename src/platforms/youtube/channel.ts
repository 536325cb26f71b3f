import { type output, z } from 'zod';
import type { Account, PlatformClient } from '../kit/index.ts';
import { call, Id } from './api.ts';

const Image = z.object({ url: z.string() }).optional();
const Channel = z.object({
  id: Id,
  snippet: z.object({
    title: z.string(),
    customUrl: z.string().optional(),
    thumbnails: z.object({ high: Image, medium: Image, default: Image }).default({}),
  }),
  contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string() }) }),
  status: z.object({ longUploadsStatus: z.string().optional() }).default({}),
});
type Channel = output<typeof Channel>;
/** Without any, YouTube leaves out the list. */
const Channels = z.object({ items: z.array(Channel).default([]) });

/** Those that the sign-in is for: one, or none at all for a Google account that has never made any. */
export async function readChannels(accessToken: string, ctx: PlatformClient): Promise<Channel[]> {
  const query = { part: 'snippet,contentDetails,status', mine: 'true' };
  return (await call(Channels, { path: '/channels', query, accessToken }, ctx)).items;
}

export function accountOf({ id, snippet, status }: Channel): Account {
  const { title, customUrl = '', thumbnails } = snippet;
  const handle = customUrl.replace(/^@/, '') || id;
  return {
    id,
    handle,
    displayName: title || handle,
    avatarUrl: (thumbnails.high ?? thumbnails.medium ?? thumbnails.default)?.url ?? null,
    profileUrl: `https://www.youtube.com/channel/${id}`,
    traits: { longUploads: !forVerified.has(status.longUploadsStatus ?? '') },
  };
}

/** What a channel has that was never verified by telephone: `eligible` could be, `disallowed` could not. */
const forVerified: ReadonlySet<string> = new Set(['eligible', 'disallowed']);
