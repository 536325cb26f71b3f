import { type output, z } from 'zod';
import { type FailureKind, PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, callAsPage } from './api.ts';
import { hasCode } from './failure.ts';
import { remotePost } from './find.ts';

type Ctx = PublishContext<Credentials>;

const Phase = z
  .object({
    status: z.string().default(''),
    errors: z.array(z.object({ code: z.number().optional(), message: z.string().optional() })).default([]),
  })
  .optional();
const Video = z.object({
  status: z.object({
    video_status: z.string(),
    uploading_phase: Phase,
    processing_phase: Phase,
    publishing_phase: Phase,
  }),
  post_id: z.string().optional(),
  permalink_url: z.string().optional(),
});
type Video = output<typeof Video>;

/** Facebook begins its work when an upload is finished, not before. */
const begun: ReadonlySet<string> = new Set(['processing', 'ready', 'error']);

export async function isFinished(videoId: string, ctx: Ctx): Promise<boolean> {
  try {
    const { post_id, status } = await look(videoId, ctx);
    return Boolean(post_id) || begun.has(status.video_status);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Hours are more than Facebook takes for any video that it accepts. */
const processingDeadlineMs = 2 * 3_600_000;

/** Null as long as Facebook is at work. */
export async function whenShown(videoId: string, sentAt: number, ctx: Ctx): Promise<RemotePost | null> {
  const video = await look(videoId, ctx).catch(explainUnseen);
  const remote = video && shownAs(videoId, video, ctx);
  if (!remote && ctx.now().getTime() - sentAt > processingDeadlineMs) throw unseen('Still in the works.');
  return remote;
}

function look(videoId: string, ctx: Ctx): Promise<Video> {
  return callAsPage(Video, { path: `/${videoId}`, query: { fields: 'status,post_id,permalink_url' } }, ctx);
}

const noSuchObject = 100;
const isMissing = (error: unknown) => hasCode(error, noSuchObject) && error.kind === 'rejected';

const passing: ReadonlySet<FailureKind> = new Set(['unavailable', 'network', 'timeout']);

/** The video is sent: what keeps us from seeing it says nothing of what becomes of it. */
function explainUnseen(error: unknown): null {
  if (!(error instanceof PlatformError) || error.kind === 'rate_limited') throw error;
  if (passing.has(error.kind)) return null;
  if (!isMissing(error)) throw unseen(error.reason ?? error.message);
  throw new PlatformError('rejected', 'Facebook took the video, and dropped it while working on it.', {
    reason: error.reason ?? undefined,
  });
}

const unseen = (reason: string) =>
  new PlatformError(
    'unknown_outcome',
    'Facebook took the video, but does not tell what became of it. Check the Page before you post it again.',
    { reason },
  );

function shownAs(videoId: string, video: Video, ctx: Ctx): RemotePost | null {
  const { video_status, uploading_phase, processing_phase, publishing_phase } = video.status;
  const phases = [uploading_phase, processing_phase, publishing_phase];
  if (['error', 'expired'].includes(video_status) || phases.some((one) => one?.status === 'error')) {
    const said = phases.flatMap((one) => one?.errors ?? []).flatMap(({ message }) => message ?? []);
    throw new PlatformError('rejected', 'Facebook could not process the video. Convert it, and post it again.', {
      reason: said.join(' ') || video_status,
    });
  }
  const isShown = video_status === 'ready' && (publishing_phase?.status ?? 'complete') === 'complete';
  return isShown ? remoteVideo(videoId, video, ctx) : null;
}

/** The post that shows a video has an id of its own, which at times lacks the Page's. */
function remoteVideo(videoId: string, { post_id: postId = videoId, permalink_url }: Video, ctx: Ctx): RemotePost {
  const { pageId } = ctx.credentials;
  const id = postId.includes('_') ? postId : `${pageId}_${postId}`;
  return remotePost(id, permalink_url || `/${pageId}/videos/${videoId}`);
}
