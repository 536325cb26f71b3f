import { PlatformError } from './failure.ts';

/** The result of deleting a post. A post that was already gone counts as deleted. */
export type Removal = { isGone: true } | { isGone: false; why: string };

interface Answers {
  /** Whether the platform reports that the post does not exist. */
  isMissing(error: PlatformError): boolean;
  /** Whether the platform reports that this account may not delete the post. Default: status 403. */
  isForbidden?(error: PlatformError): boolean;
  /** Reads the post, for a platform that responds the same if the post is missing and if it cannot be deleted. */
  read?(): Promise<unknown>;
}

/**
 * The outcome of a request that deletes a post. Rethrows errors that prove neither that the post is gone nor that it
 * has to stay.
 */
export async function removal(deleting: Promise<unknown>, answers: Answers): Promise<Removal> {
  try {
    await deleting;
    return { isGone: true };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { isMissing, isForbidden = isRefused, read } = answers;
    const why = error.reason ?? error.message;
    if (isForbidden(error)) return { isGone: false, why };
    if (isMissing(error)) return read && (await isThere(read, isMissing)) ? notDeleted(why) : { isGone: true };
    throw error;
  }
}

const isRefused = ({ status, kind }: PlatformError) => status === 403 && (kind === 'auth' || kind === 'rejected');

const notDeleted = (said: string): Removal => ({
  isGone: false,
  why: `the post still exists and could not be deleted: ${said}`,
});

async function isThere(read: () => Promise<unknown>, isMissing: Answers['isMissing']): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof PlatformError && isMissing(error)) return false;
    throw error;
  }
}
