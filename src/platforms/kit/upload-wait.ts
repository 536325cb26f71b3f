import type { PlatformClient } from './context.ts';
import { PlatformError } from './failure.ts';
import { messages } from './messages.ts';
import type { Wait } from './platform.ts';

/** Platforms process any file that they accept in less than this. */
const processingLimitMs = 2 * 3_600_000;

/** A wait for an uploaded file that no post shows yet. `since` is in milliseconds. */
export const uploadWait = (seconds: number, since: number, name: string, ctx: PlatformClient): Wait<never> => ({
  seconds,
  msLeft: since + processingLimitMs - ctx.now().getTime(),
  late() {
    throw new PlatformError('unavailable', messages.processingTooLong(name), { mayHaveHappened: false });
  },
});
