import { PlatformError } from '../../kit/index.ts';
import { isForbidden } from '../legacy-api.ts';

/**
 * A post is a share or a ugcPost, and also has an activity. Not every LinkedIn resource accepts an activity. The
 * activity often has the same number as the post.
 */
export function targetsOf(urn: string): string[] {
  const number = activityNumber(urn);
  return number === null ? [urn] : [urn, ...postsOf(number)];
}

/** Without the activity itself, for resources that never accept one. */
export function postTargetsOf(urn: string): string[] {
  const number = activityNumber(urn);
  return number === null ? [urn] : postsOf(number);
}

/** Tries the targets in order while LinkedIn provably did nothing. If it accepts none, throws its first refusal. */
export async function onFirstTarget<T>(
  targets: readonly string[],
  attempt: (target: string) => Promise<T>,
): Promise<{ target: string; answer: T }> {
  const refusals: unknown[] = [];
  for (const target of targets) {
    try {
      return { target, answer: await attempt(target) };
    } catch (error) {
      if (!isAboutTarget(error)) throw error;
      refusals.push(error);
    }
  }
  throw refusals[0];
}

/** A missing permission for one action does not mean the connection is broken, and new credentials would not help. */
export async function asAction<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw error.with({ kind: 'rejected', message: 'LinkedIn does not permit this connection to do that.' });
  }
}

const activityNumber = (urn: string) => /^urn:li:activity:(\d+)$/.exec(urn)?.[1] ?? null;
const postsOf = (number: string) => [`urn:li:ugcPost:${number}`, `urn:li:share:${number}`];

/** The status for a URN that LinkedIn does not accept varies between resources. */
const targetStatuses: ReadonlySet<number | null> = new Set([400, 403, 404, 422]);
const isAboutTarget = (error: unknown) =>
  error instanceof PlatformError && !error.mayHaveHappened && targetStatuses.has(error.status);
