import { PlatformError } from './failure.ts';
import type { Found } from './found.ts';
import { messages } from './messages.ts';
import type { StepRun } from './platform.ts';
import { withinSearchTime } from './search-time.ts';

/** Roughly how long platforms remember a text that they do not accept twice. */
const memoryMs = 24 * 3_600_000;

export interface DuplicateLookup<T> {
  /** Same as for the step itself. */
  find(since: Date): Promise<Found<T>>;
  /** Whether the account has posted this text since then, with any files. */
  hasText(since: Date): Promise<boolean>;
}

/**
 * If a platform refuses a repeat as a duplicate after an unknown outcome, it has this post, or another one with the
 * same text. Returns this post; throws the refusal if it is another.
 */
export async function resolveDuplicate<T>(
  refusal: PlatformError,
  { find, hasText }: DuplicateLookup<T>,
  { repeatSince, adopt }: StepRun<T>,
  name: string,
): Promise<T> {
  // Without an earlier attempt, the duplicate is another post.
  if (!repeatSince) throw refusal;
  const ours = await adopt(await withinSearchTime(() => find(repeatSince)));
  if (ours !== null) return ours;
  const from = new Date(repeatSince.getTime() - memoryMs);
  if (await withinSearchTime(() => hasText(from))) throw refusal;
  // The list may lag behind, so leave the outcome open for a later run to look again.
  const { status, reason } = refusal;
  throw new PlatformError('unavailable', messages.notListedYet(name), { status, reason, cause: refusal });
}
