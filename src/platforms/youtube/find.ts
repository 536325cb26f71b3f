import { z } from 'zod';
import { normalizeText } from '../../foundation/text/normalize-text.ts';
import { found, type Match, PlatformError, type PublishContext, type RemotePost, searchFrom } from '../kit/index.ts';
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

/** `at`: when we learned that it exists. */
export type Video = RemotePost & { at: number };

export const videoOf = (id: string, ctx: Ctx): Video => ({ ...remotePost(id), at: ctx.now().getTime() });

/** Shorts have this URL too. */
export const remotePost = (id: string): RemotePost => ({ id, url: `https://www.youtube.com/watch?v=${id}` });

/**
 * The channel's uploads with the same title and description, including private ones. YouTube lists the newest first.
 */
export async function findVideos({ snippet }: VideoMetadata, since: number, ctx: Ctx) {
  const channels = await readChannels(ctx.credentials.accessToken, ctx);
  const own = channels.find(({ id }) => id === ctx.credentials.channelId);
  if (!own) throw otherChannel();
  const matches: Match<Video>[] = [];
  let pageToken: string | undefined;
  do {
    const { items, nextPageToken } = await uploadsOf(own.contentDetails.relatedPlaylists.uploads, pageToken, ctx);
    const earliest = searchFrom(since, ctx);
    const recent = items.filter((item) => item.snippet.publishedAt.getTime() >= earliest);
    for (const { snippet: shown, contentDetails } of recent.filter((item) => isSame(item.snippet, snippet))) {
      const createdAt = shown.publishedAt.getTime();
      matches.unshift({ result: videoOf(contentDetails.videoId, ctx), createdAt, isSure: true });
    }
    pageToken = recent.length < items.length ? undefined : nextPageToken;
  } while (pageToken);
  return found(matches, since, true, ctx);
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

/** YouTube removes trailing white space, and may change line breaks. */
const isSame = (one: Words, other: Words) =>
  plain(one.title) === plain(other.title) && plain(one.description) === plain(other.description);
const plain = (text: string) => normalizeText(text).replaceAll(/\s+/g, ' ').trim();
