import { PlatformError } from '../kit/index.ts';
import { isDenied } from './create-comment.ts';

/**
 * A post is a share or a ugcPost, and is also known by its activity. LinkedIn does not take an activity everywhere; the
 * number of an activity is often that of the post.
 */
export function targetsOf(urn: string): string[] {
  const number = activityNumber(urn);
  return number === null ? [urn] : [urn, ...postsOf(number)];
}

/** Without the activity itself, where it is never taken. */
export function postTargetsOf(urn: string): string[] {
  const number = activityNumber(urn);
  return number === null ? [urn] : postsOf(number);
}

/** Tries one after the other, as long as LinkedIn provably did nothing. If it takes none, its first refusal counts. */
export async function onFirst<T>(
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

/** That this is not permitted says nothing against the connection, and new credentials would not help. */
export async function asAction<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isDenied(error)) throw error;
    const { reason, cause } = error;
    const message = 'LinkedIn does not permit this connection to do that.';
    throw new PlatformError('rejected', message, { status: 403, reason: reason ?? undefined, cause });
  }
}

const activityNumber = (urn: string) => /^urn:li:activity:(\d+)$/.exec(urn)?.[1] ?? null;
const postsOf = (number: string) => [`urn:li:ugcPost:${number}`, `urn:li:share:${number}`];

/** What LinkedIn answers to an URN that it does not take differs from one resource to the next. */
const targetStatuses: ReadonlySet<number | null> = new Set([400, 403, 404, 422]);
const isAboutTarget = (error: unknown) =>
  error instanceof PlatformError && !error.mayHaveHappened && targetStatuses.has(error.status);
