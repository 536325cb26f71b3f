import { type output, z } from 'zod';
import { messages, PlatformError, type PublishContext, type Wait } from '../kit/index.ts';
import { api, type Credentials, call } from './api.ts';
import { isTransient } from './failure.ts';
import type { Uploaded } from './upload.ts';

type Ctx = PublishContext<Credentials>;

/**
 * YouTube may process a long video for hours. The video is on the channel in the meantime, so no post waits longer than
 * this.
 */
const processingDeadlineMs = 2 * 3_600_000;

/**
 * Null while YouTube is processing; `unreadable` if it no longer lets us read the state. In both cases the video
 * exists.
 */
export async function whenProcessed(video: Uploaded, ctx: Ctx): Promise<'processed' | 'unreadable' | null> {
  const state = await readState(video.id, ctx).catch((error: unknown) => stateAfter(error, video));
  if (state === 'unreadable') return state;
  return state !== 'unknown' && isProcessed(state, video, ctx) ? 'processed' : null;
}

const minPollSeconds = 10;

/** The intervals grow, because each check counts against the daily quota, which all channels share. */
export const processingWait = (video: Uploaded, ctx: Ctx): Wait<'processed'> => ({
  seconds: Math.max(minPollSeconds, Math.ceil(ageOf(video, ctx) / 4000)),
  msLeft: processingDeadlineMs - ageOf(video, ctx),
  late: () => 'processed',
});

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

async function readState(id: string, ctx: Ctx): Promise<State | null> {
  const query = { part: 'status,processingDetails', id };
  const Answer = z.object({ items: z.array(State).default([]) });
  const { items } = await call(Answer, { url: `${api}/videos`, query, accessToken: ctx.credentials.accessToken }, ctx);
  return items[0] ?? null;
}

/** The video is uploaded, so failing to read its state does not fail the post. */
function stateAfter(error: unknown, { isNew }: Uploaded): 'unknown' | 'unreadable' {
  if (!(error instanceof PlatformError)) throw error;
  if (isTransient(error) || error.kind === 'rate_limited') return 'unknown';
  // The upload may have outlasted its access token. The next run has a new one.
  if (error.kind === 'auth' && isNew) throw error;
  return 'unreadable';
}

/** How long a new video may be missing from YouTube's list. */
const listingDelayMs = 5 * 60_000;

function isProcessed(state: State | null, video: Uploaded, ctx: Ctx): boolean {
  if (!state && ageOf(video, ctx) < listingDelayMs) return false;
  const { uploadStatus, failureReason, rejectionReason } = state?.status ?? { uploadStatus: 'deleted' };
  const { processingStatus, processingFailureReason } = state?.processingDetails ?? {};
  if (uploadStatus === 'deleted')
    throw lost('The video was deleted while YouTube was processing it. Publish the post again.', uploadStatus);
  if (uploadStatus === 'rejected') throw lost(rejections[rejectionReason ?? ''] ?? rejected, rejectionReason);
  if (uploadStatus === 'failed') throw lost(unprocessable, failureReason);
  if (processingStatus === 'failed') throw lost(unprocessable, processingFailureReason);
  return uploadStatus === 'processed';
}

const lost = (message: string, reason = 'No reason given.') => new PlatformError('rejected', message, { reason });

const unprocessable = messages.processingFailed('YouTube');
const rejected = 'YouTube removed the video after the upload. Check the reason in YouTube Studio.';
const rejections: Readonly<Partial<Record<string, string>>> = {
  duplicate: 'YouTube removed the video because it is a duplicate.',
  length:
    'YouTube removed the video because it is too long for the channel. Verify the channel, then publish it again.',
};
