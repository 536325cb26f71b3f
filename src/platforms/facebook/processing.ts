import { type output, z } from 'zod';
import { hasCode, reclassify } from '../graph/failure.ts';
import { type FailureKind, PlatformError, type PublishContext, type RemotePost, type Wait } from '../kit/index.ts';
import { type Credentials, callAsPage } from './api.ts';
import { codes } from './failure.ts';
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

/** Facebook starts processing a video only once its upload is finished. */
const startedStatuses: ReadonlySet<string> = new Set(['processing', 'ready', 'error']);

/** Whether the video's upload was finished. */
export async function isFinished(videoId: string, ctx: Ctx): Promise<boolean> {
  try {
    const { post_id, status } = await readVideo(videoId, ctx);
    return Boolean(post_id) || startedStatuses.has(status.video_status);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Facebook takes less than this for any video that it accepts. */
const processingDeadlineMs = 2 * 3_600_000;

export const processingWait = (sentAt: number, ctx: Ctx): Wait => ({
  seconds: 10,
  msLeft: sentAt + processingDeadlineMs - ctx.now().getTime(),
  late() {
    throw outcomeUnknown('Still processing.');
  },
});

/** Null while Facebook is processing the video. */
export async function readPublished(videoId: string, ctx: Ctx): Promise<RemotePost | null> {
  const video = await readVideo(videoId, ctx).catch(explainUnread);
  return video && publishedAs(videoId, video, ctx);
}

function readVideo(videoId: string, ctx: Ctx): Promise<Video> {
  return callAsPage(Video, { path: `/${videoId}`, query: { fields: 'status,post_id,permalink_url' } }, ctx);
}

const isMissing = (error: unknown) => hasCode(error, ...codes.noSuchObject) && error.kind === 'rejected';

const transient: ReadonlySet<FailureKind> = new Set(['unavailable', 'network', 'timeout']);

/** The video has been sent. Failing to read it says nothing about its result. */
function explainUnread(error: unknown): null {
  if (!(error instanceof PlatformError) || error.kind === 'rate_limited') throw error;
  if (transient.has(error.kind)) return null;
  if (!isMissing(error)) throw outcomeUnknown(error.reason ?? error.message);
  throw reclassify(
    error,
    'rejected',
    'Facebook accepted the video, but deleted it while processing it. Check the video.',
  );
}

const outcomeUnknown = (reason: string) =>
  new PlatformError(
    'unknown_outcome',
    'Facebook accepted the video, but does not report whether it was published. Check the Page before you publish it again.',
    { reason },
  );

function publishedAs(videoId: string, video: Video, ctx: Ctx): RemotePost | null {
  const { video_status, uploading_phase, processing_phase, publishing_phase } = video.status;
  const phases = [uploading_phase, processing_phase, publishing_phase];
  if (['error', 'expired'].includes(video_status) || phases.some((one) => one?.status === 'error')) {
    const reasons = phases.flatMap((one) => one?.errors ?? []).flatMap(({ message }) => message ?? []);
    throw new PlatformError('rejected', 'Facebook could not process the video. Convert it and publish it again.', {
      reason: reasons.join(' ') || video_status,
    });
  }
  const isPublished = video_status === 'ready' && (publishing_phase?.status ?? 'complete') === 'complete';
  return isPublished ? remoteVideo(videoId, video, ctx) : null;
}

/** The post that shows a video has a separate id, which sometimes lacks the Page's id. */
function remoteVideo(videoId: string, { post_id: postId = videoId, permalink_url }: Video, ctx: Ctx): RemotePost {
  const { pageId } = ctx.credentials;
  const id = postId.includes('_') ? postId : `${pageId}_${postId}`;
  return remotePost(id, permalink_url || `/${pageId}/videos/${videoId}`);
}
