import type { PlatformClient } from './context.ts';
import { type FailureDetails, PlatformError } from './failure.ts';
import { messages } from './messages.ts';

/** What a platform shows that may be the effect of a step with an unknown outcome. */
export interface Found<T> {
  /** These fit the step in everything that the platform shows, and are not older than it. Oldest first. */
  readonly posts: readonly T[];
  /** Whether one of these is the effect cannot be told. */
  readonly doubtful: readonly T[];
  /** Why it proves nothing if none of these is the effect. Null if it does prove that there was none. */
  readonly inconclusive: PlatformError | null;
}

/** The platform was asked for the effect itself, under a name that only this step has. */
export const exactly = <T>(result: T | null): Found<T> => ({
  posts: result === null ? [] : [result],
  doubtful: [],
  inconclusive: null,
});

/** The platform cannot be asked, or shows too little. */
export const unknownOutcome = (details: FailureDetails = {}) =>
  new PlatformError('unknown_outcome', messages.outcomeUnknown, details);

/** A post in a platform's list that has the text and the files of the step. */
export interface Match<T> {
  readonly result: T;
  /** By the platform's clock. */
  readonly createdAt: number;
  /** Whether the platform shows enough of it. */
  readonly isSure: boolean;
}

/** By so much the clocks of our own machines disagree at most, as far as time synchronization works. */
const skewMs = 5_000;
/** A match that is older by less than this may be the effect all the same, if time synchronization does not work. */
const doubtMs = 30_000;

/** A search may end at posts that are older than this, by the platform's clock. */
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
