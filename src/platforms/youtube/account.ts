import { type output, z } from 'zod';
import type { Account, PlatformClient } from '../kit/index.ts';
import { api, call, Id } from './api.ts';

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
/** YouTube omits an empty list. */
const Channels = z.object({ items: z.array(Channel).default([]) });

/** The channels of the sign-in: one, or none for a Google account that has never created a channel. */
export async function readChannels(accessToken: string, ctx: PlatformClient): Promise<Channel[]> {
  const query = { part: 'snippet,contentDetails,status', mine: 'true' };
  return (await call(Channels, { url: `${api}/channels`, query, accessToken }, ctx)).items;
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
    traits: { longUploads: !unverified.has(status.longUploadsStatus ?? '') },
  };
}

/** A channel that was never verified by phone is `eligible` for it, or `disallowed`. */
const unverified: ReadonlySet<string> = new Set(['eligible', 'disallowed']);
