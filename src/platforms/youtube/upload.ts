import {
  exactly,
  type Found,
  fingerprint,
  type Media,
  messages,
  PlatformError,
  type PublishContext,
  type StepRun,
  withinSearchTime,
} from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { isTransient } from './failure.ts';
import { findVideos, type Video, videoOf } from './find.ts';
import type { VideoMetadata } from './metadata.ts';
import {
  readProgress,
  sendChunk,
  startSession,
  type UploadProgress,
  type UploadSession,
  type VideoFile,
} from './upload-session.ts';

type Ctx = PublishContext<Credentials>;
export interface Uploaded extends Video {
  /** Whether this run uploaded it. */
  isNew: boolean;
}

/**
 * The last byte creates the video. The session knows how much it has received and whether it has become a video, so a
 * run after an unknown outcome asks the session and continues from there.
 */
export async function uploadVideo(media: Media, metadata: VideoMetadata, ctx: Ctx): Promise<Uploaded> {
  let isNew = false;
  const uploaded = (id: string): Video => {
    isNew = true;
    return videoOf(id, ctx);
  };
  let unfinished: Upload | null = null;
  const send = async ({ adopt }: StepRun<Video>) => {
    const upload = unfinished ?? (await findUpload(media, metadata, adopt, ctx));
    return uploaded(await sendRest(upload, ctx));
  };
  const find = async (): Promise<Found<Video>> => {
    let listed = exactly<Video>(null);
    const oldestOf = async (videos: Found<Video>) => {
      listed = videos;
      return videos.posts[0] ?? null;
    };
    const upload = await findUpload(media, metadata, oldestOf, ctx);
    if (listed.posts.length > 0) return listed;
    if ('videoId' in upload.progress) return exactly(uploaded(upload.progress.videoId));
    unfinished = upload;
    return exactly<Video>(null);
  };
  const { title, description } = metadata.snippet;
  const likeness = fingerprint(`${title} ${description}`);
  const video = await ctx.step('video', send, { takenOnce: true, find, fingerprint: likeness });
  return { ...video, isNew };
}

interface Upload {
  file: VideoFile;
  session: UploadSession;
  progress: Exclude<UploadProgress, 'expired'>;
}

/** Each session counts against the 100 uploads a day that YouTube allows the whole service. */
const maxSessions = 3;

/**
 * An expired session no longer reports what it created, so the channel is asked. If `choose` takes none of the videos
 * there, a new session replaces it.
 */
async function findUpload(
  media: Media,
  metadata: VideoMetadata,
  choose: (videos: Found<Video>) => Promise<Video | null>,
  ctx: Ctx,
): Promise<Upload> {
  const file = { blob: await media.blob(), type: media.type };
  for (let count = 1; count <= maxSessions; count += 1) {
    let isNew = false;
    const start = () => {
      isNew = true;
      return startSession(metadata, file, ctx);
    };
    // A session that is never used creates nothing.
    const session = await ctx.step(`session ${count}`, start, { replayable: true });
    const progress = isNew ? { nextByte: 0 } : await readProgress(session, file, ctx);
    if (progress !== 'expired') return { file, session, progress };
    const video = await choose(await withinSearchTime(() => findVideos(metadata, session.startedAt, ctx)));
    if (video) return { file, session, progress: { videoId: video.id } };
  }
  throw new PlatformError('rejected', messages.mediaGone('YouTube'));
}

async function sendRest({ file, session, progress: from }: Upload, ctx: Ctx): Promise<string> {
  let progress: UploadProgress = from;
  let lastFailureAt = 'nextByte' in from ? from.nextByte : 0;
  while (progress !== 'expired') {
    if ('videoId' in progress) return progress.videoId;
    const { nextByte }: { nextByte: number } = progress;
    try {
      progress = await sendChunk(session, file, nextByte, ctx);
      assertProgress(progress, nextByte);
    } catch (error) {
      // A long upload tolerates transient failures as long as it progresses between them.
      if (!isTransient(error) || nextByte <= lastFailureAt) throw error;
      lastFailureAt = nextByte;
      progress = await readProgress(session, file, ctx);
    }
  }
  throw new PlatformError('unavailable', 'YouTube ended the upload of the video early. Try again later.');
}

function assertProgress(progress: UploadProgress, before: number): void {
  if (progress === 'expired' || 'videoId' in progress || progress.nextByte > before) return;
  throw new PlatformError('unavailable', 'The upload of the video to YouTube makes no progress. Try again later.');
}
