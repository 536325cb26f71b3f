import type { PlatformClient } from './context.ts';
import { type FailureDetails, PlatformError } from './failure.ts';
import { messages } from './messages.ts';

/** Posts on a platform that may be the effect of a step with an unknown outcome. */
export interface Found<T> {
  /** These match the step in everything that the platform shows, and are not older than it. Oldest first. */
  readonly posts: readonly T[];
  /** It is unclear whether one of these is the effect. */
  readonly doubtful: readonly T[];
  /** Why the search is no proof even if none of these is the effect. Null if that proves there was no effect. */
  readonly inconclusive: PlatformError | null;
  /**
   * The platform shows nothing that tells `posts` from others of the account. So if several belong to no other post, it
   * is unclear which one is the effect.
   */
  readonly areAlike?: boolean;
}

/** The platform was asked for the effect itself, by a name that only this step uses. */
export const exactly = <T>(result: T | null): Found<T> => ({
  posts: result === null ? [] : [result],
  doubtful: [],
  inconclusive: null,
});

/** The platform cannot be asked, or shows too little. */
export const unknownOutcome = (details: FailureDetails = {}) =>
  new PlatformError('unknown_outcome', messages.outcomeUnknown, details);

/** A listed post with the same text and files as the step. */
export interface Match<T> {
  readonly result: T;
  /** By the platform's clock. */
  readonly createdAt: number;
  /** Whether the platform shows enough of it. */
  readonly isSure: boolean;
}

/** The maximum difference between the clocks of our own machines, if time synchronization works. */
const skewMs = 5_000;
/** A match older by less than this may still be the effect, if time synchronization does not work. */
const doubtMs = 30_000;

/** A search may stop at posts older than this, by the platform's clock. */
export const searchFrom = (since: Date | number, ctx: PlatformClient) => ctx.platformTime(since) - doubtMs;

/** Sorts the matches by what they prove. `isComplete`: the platform has shown everything since then. */
export function found<T>(
  matches: readonly Match<T>[],
  since: Date | number,
  isComplete: boolean,
  ctx: PlatformClient,
): Found<T> {
  const start = ctx.platformTime(since);
  const recent = matches.filter(({ createdAt }) => createdAt >= start - doubtMs);
  const isFit = ({ createdAt, isSure }: Match<T>) => isSure && createdAt >= start - skewMs;
  return {
    posts: recent
      .filter(isFit)
      .toSorted((one, other) => one.createdAt - other.createdAt)
      .map(({ result }) => result),
    doubtful: recent.filter((match) => !isFit(match)).map(({ result }) => result),
    inconclusive: isComplete ? null : unknownOutcome(),
  };
}
