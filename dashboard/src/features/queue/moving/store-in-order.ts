import type { TimeChange } from '../queue-days.ts';

export interface Failure {
  error: unknown;
  /** The changes that could not be taken back, so that several posts are at the same time now. */
  stranded: readonly TimeChange[];
}

/**
 * Stores the later time first: a post that waits longer can still be put back, and a published one cannot. If a
 * change is refused, those before it are taken back.
 */
export async function storeInOrder(
  changes: readonly TimeChange[],
  store: (change: TimeChange) => Promise<void>,
): Promise<Failure | null> {
  const done: TimeChange[] = [];
  try {
    for (const change of changes.toSorted((a, b) => delayOf(b) - delayOf(a))) {
      await store(change);
      done.push(change);
    }
    return null;
  } catch (error) {
    const stranded: TimeChange[] = [];
    for (const change of done.toReversed()) {
      const { post } = change;
      const version = post.version === undefined ? {} : { version: post.version + 1 };
      const back = { post: { ...post, ...version }, to: post.scheduledTime! };
      try {
        await store(back);
      } catch {
        stranded.push(change);
      }
    }
    return { error, stranded };
  }
}

const delayOf = ({ post, to }: TimeChange) => Date.parse(to) - Date.parse(post.scheduledTime!);
