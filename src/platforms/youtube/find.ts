import { z } from 'zod';
import { PlatformError, type PublishContext } from '../kit/index.ts';
import { readChannels } from './account.ts';
import { api, type Credentials, call, Id } from './api.ts';
import { otherChannel } from './failure.ts';
import type { VideoMetadata } from './metadata.ts';

type Ctx = PublishContext<Credentials>;

const Uploads = z.object({
  items: z
    .array(
      z.object({
        snippet: z.object({ title: z.string(), description: z.string(), publishedAt: z.coerce.date() }),
        contentDetails: z.object({ videoId: Id }),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});

/** How far YouTube's clock may be behind ours. */
const toleranceMs = 60_000;

/** Among the channel's uploads since then, private ones too, the oldest with the same title and description is ours. */
export async function findVideo({ snippet }: VideoMetadata, since: number, ctx: Ctx): Promise<string | null> {
  const channels = await readChannels(ctx.credentials.accessToken, ctx);
  const own = channels.find(({ id }) => id === ctx.credentials.channelId);
  if (!own) throw otherChannel();
  const earliest = since - toleranceMs;
  let found: string | null = null;
  let pageToken: string | undefined;
  do {
    // YouTube lists the newest first.
    const { items, nextPageToken } = await uploadsOf(own.contentDetails.relatedPlaylists.uploads, pageToken, ctx);
    const recent = items.filter((item) => item.snippet.publishedAt.getTime() >= earliest);
    const ours = recent.findLast((item) => isSame(item.snippet, snippet));
    found = ours?.contentDetails.videoId ?? found;
    pageToken = recent.length < items.length ? undefined : nextPageToken;
  } while (pageToken);
  return found;
}

const pageSize = 50;

async function uploadsOf(playlistId: string, pageToken: string | undefined, ctx: Ctx) {
  const query = {
    part: 'snippet,contentDetails',
    playlistId,
    maxResults: String(pageSize),
    ...(pageToken && { pageToken }),
  };
  const request = { url: `${api}/playlistItems`, query, accessToken: ctx.credentials.accessToken };
  return call(Uploads, request, ctx).catch((error: unknown) => {
    // A channel has no list of uploads before its first upload.
    if (error instanceof PlatformError && error.status === 404) return { items: [], nextPageToken: undefined };
    throw error;
  });
}

type Words = Pick<VideoMetadata['snippet'], 'title' | 'description'>;

/** YouTube removes blanks at the end, and may change line breaks. */
const isSame = (one: Words, other: Words) =>
  plain(one.title) === plain(other.title) && plain(one.description) === plain(other.description);
const plain = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
