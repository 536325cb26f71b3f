import { type output, z } from 'zod';
import { PlatformError, type PublishContext } from '../kit/index.ts';
import { type Credentials, call, isPassing } from './api.ts';
import type { Uploaded } from './upload.ts';

type Ctx = PublishContext<Credentials>;

/** Longer than that no post waits: YouTube may take hours for a long video, which is on the channel all the while. */
const processingDeadlineMs = 2 * 3_600_000;

/** Null as long as YouTube is at work; `unseen` if it lets us know no more. In both cases the video is there. */
export async function whenProcessed(video: Uploaded, ctx: Ctx): Promise<'processed' | 'unseen' | null> {
  const state = await look(video.videoId, ctx).catch((error: unknown) => explainUnseen(error, video));
  if (state === 'unseen') return state;
  if (state !== 'unknown' && isProcessed(state, video, ctx)) return 'processed';
  return ageOf(video, ctx) > processingDeadlineMs ? 'processed' : null;
}

const leastSeconds = 10;
const mostSeconds = 300;

/** Ever longer: each look counts against the daily quota, which all channels share. */
export const secondsToNextLook = (video: Uploaded, ctx: Ctx) =>
  Math.min(mostSeconds, Math.max(leastSeconds, Math.ceil(ageOf(video, ctx) / 4000)));

const ageOf = ({ at }: Uploaded, ctx: Ctx) => ctx.now().getTime() - at;

const State = z.object({
  status: z.object({
    uploadStatus: z.string(),
    failureReason: z.string().optional(),
    rejectionReason: z.string().optional(),
  }),
  processingDetails: z
    .object({ processingStatus: z.string(), processingFailureReason: z.string().optional() })
    .optional(),
});
type State = output<typeof State>;

async function look(id: string, ctx: Ctx): Promise<State | null> {
  const query = { part: 'status,processingDetails', id };
  const Answer = z.object({ items: z.array(State).default([]) });
  const { items } = await call(Answer, { path: '/videos', query, accessToken: ctx.credentials.accessToken }, ctx);
  return items[0] ?? null;
}

/** The video is uploaded: what keeps us from looking at it says nothing against it. */
function explainUnseen(error: unknown, { isNew }: Uploaded): 'unknown' | 'unseen' {
  if (!(error instanceof PlatformError)) throw error;
  if (isPassing(error) || error.kind === 'rate_limited') return 'unknown';
  // An upload may outlast the access token that it began with: the next run has a new one.
  if (error.kind === 'auth' && isNew) throw error;
  return 'unseen';
}

/** For as long the list of videos may not have heard of a new one. */
const settlingMs = 5 * 60_000;

function isProcessed(state: State | null, video: Uploaded, ctx: Ctx): boolean {
  if (!state && ageOf(video, ctx) < settlingMs) return false;
  const { uploadStatus, failureReason, rejectionReason } = state?.status ?? { uploadStatus: 'deleted' };
  const { processingStatus, processingFailureReason } = state?.processingDetails ?? {};
  if (uploadStatus === 'deleted') throw lost('The video was deleted while YouTube was at work on it.', uploadStatus);
  if (uploadStatus === 'rejected') throw lost(rejections[rejectionReason ?? ''] ?? rejected, rejectionReason);
  if (uploadStatus === 'failed') throw lost(unprocessable, failureReason);
  if (processingStatus === 'failed') throw lost(unprocessable, processingFailureReason);
  return uploadStatus === 'processed';
}

const lost = (message: string, reason = 'No reason given.') => new PlatformError('rejected', message, { reason });

const unprocessable = 'YouTube could not process the video. Convert it, and post it again.';
const rejected = 'YouTube took the video down after the upload. See why in YouTube Studio.';
const rejections: Readonly<Partial<Record<string, string>>> = {
  duplicate: 'YouTube took the video down: it has the same one already.',
  length: 'YouTube took the video down: it is too long for the channel. Verify the channel, then post it again.',
};
