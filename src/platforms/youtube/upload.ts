import { type Media, PlatformError, type PublishContext } from '../kit/index.ts';
import { type Credentials, isPassing } from './api.ts';
import type { Draft } from './draft.ts';
import { findVideo } from './find.ts';
import { askSession, type Session, type Standing, sendChunk, startSession, type VideoFile } from './session.ts';

type Ctx = PublishContext<Credentials>;
export interface Uploaded {
  videoId: string;
  at: number;
  /** It was this run that uploaded it. */
  isNew: boolean;
}

/**
 * The last byte makes the video. Whatever happens on the way, the session knows how much it has and whether it has become
 * a video: a run after an unknown outcome asks it, and goes on from there.
 */
export async function uploadVideo(media: Media, draft: Draft, ctx: Ctx): Promise<Uploaded> {
  let isNew = false;
  const uploaded = (videoId: string) => {
    isNew = true;
    return { videoId, at: ctx.now().getTime() };
  };
  let found: Upload | null = null;
  const video = await ctx.step(
    'video',
    async () => uploaded(await sendRest(found ?? (await findUpload(media, draft, ctx)), ctx)),
    {
      takenOnce: true,
      async find() {
        found = await findUpload(media, draft, ctx);
        return 'videoId' in found.standing ? uploaded(found.standing.videoId) : null;
      },
    },
  );
  return { ...video, isNew };
}

interface Upload {
  file: VideoFile;
  session: Session;
  standing: Exclude<Standing, 'gone'>;
}

/** Each counts against the hundred uploads a day that YouTube allows the whole service. */
const maxSessions = 3;

/** A session that YouTube has forgotten makes room for another, unless it had become a video before. */
async function findUpload(media: Media, draft: Draft, ctx: Ctx): Promise<Upload> {
  const file = { blob: await media.blob(), type: media.type };
  for (let count = 1; count <= maxSessions; count += 1) {
    let isNew = false;
    const start = () => {
      isNew = true;
      return startSession(draft, file, ctx);
    };
    // One that is never used makes nothing.
    const session = await ctx.step(`session ${count}`, start, { replayable: true });
    const standing = isNew ? { nextByte: 0 } : await askSession(session, file, ctx);
    if (standing !== 'gone') return { file, session, standing };
    const videoId = await findVideo(draft, session.startedAt, ctx);
    if (videoId) return { file, session, standing: { videoId } };
  }
  throw new PlatformError('rejected', 'YouTube has dropped the upload again and again. Publish the video anew.');
}

async function sendRest({ file, session, standing: from }: Upload, ctx: Ctx): Promise<string> {
  let standing: Standing = from;
  let lastTrouble = 'nextByte' in from ? from.nextByte : 0;
  while (standing !== 'gone') {
    if ('videoId' in standing) return standing.videoId;
    const { nextByte }: { nextByte: number } = standing;
    try {
      standing = await sendChunk(session, file, nextByte, ctx);
      assertProgress(standing, nextByte);
    } catch (error) {
      // A long upload has to bear some trouble on its way, as long as it gets on in between.
      if (!isPassing(error) || nextByte <= lastTrouble) throw error;
      lastTrouble = nextByte;
      standing = await askSession(session, file, ctx);
    }
  }
  throw new PlatformError('unavailable', 'YouTube has dropped the upload.');
}

function assertProgress(standing: Standing, before: number): void {
  if (standing === 'gone' || 'videoId' in standing || standing.nextByte > before) return;
  throw new PlatformError('unavailable', 'YouTube does not get on with the upload of the video.');
}
