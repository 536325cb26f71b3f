import { createFairTurns, type Turn } from '../../../foundation/lib/fair-turns.ts';
import { createShared } from '../../../foundation/lib/shared.ts';
import type { Storage, StoredFile } from '../../../foundation/storage/storage.ts';
import { attachedImages } from '../../../platforms/attached-images.ts';
import { PlatformError } from '../../../platforms/kit/index.ts';
import type { MediaRecord } from '../queries.ts';

/** The stored files that a target has opened. Disposing closes them, including those that are still being opened. */
export interface OpenedFiles extends AsyncDisposable {
  /** Calls `open` when it is the target's turn. */
  open(open: () => Promise<StoredFile>): Promise<StoredFile>;
}

const waitMs = 60_000;
const retryAfterSeconds = 60;
/** Of all files of a target together. */
const largeBytes = 32 * 1_048_576;
/**
 * How many sets of files each owner can have on the disk of this process at the same time: 1 GB in sets of small files.
 * One owner's slow networks do not take turns from others.
 */
const turns = {
  small: createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 32 }),
  large: createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 4 }),
};
/** Targets with the same files share a turn, because they share the copies. */
const shared = createShared((turn: Turn) => turn[Symbol.dispose]());

export function openedFiles({ served }: Pick<Storage, 'served'>, records: readonly MediaRecord[]): OpenedFiles {
  // Files that pass through this service are already on its disk.
  const needsTurn = !served && !records.every(isAttachedImage);
  const opened: Promise<AsyncDisposable>[] = [];
  const keep = <T extends AsyncDisposable>(opening: Promise<T>) => {
    opened.push(opening);
    return opening;
  };
  // One turn for all files, because targets that wait with open files could wait for each other.
  let turn: Promise<AsyncDisposable> | null = null;
  return {
    open(open) {
      if (needsTurn) turn ??= keep(shared(nameOf(records), () => turnFor(records)));
      return keep(Promise.resolve(turn).then(open));
    },
    async [Symbol.asyncDispose]() {
      for (const file of (await Promise.allSettled(opened)).reverse())
        if (file.status === 'fulfilled') await file.value[Symbol.asyncDispose]();
    },
  };
}

const nameOf = (records: readonly MediaRecord[]) => records.map(({ storageKey }) => storageKey).join(' ');

/** A target has at most one, a small one, which it opens while it has a turn for its other files. */
const isAttachedImage = ({ purpose }: MediaRecord) => attachedImages.some((image) => image.purpose === purpose);

async function turnFor(records: readonly MediaRecord[]): Promise<Turn> {
  const bytes = records.reduce((sum, { metadata }) => sum + (metadata?.size ?? 0), 0);
  const turn = await turns[bytes > largeBytes ? 'large' : 'small'].acquire(records[0]!.ownerId, waitMs);
  if (!turn) throw later('Crier is still sending other files of this account, and will retry.');
  return turn;
}

/** Nothing was sent to the platform. The post is retried for hours, because the attempt does not count. */
export const later = (message: string, cause?: unknown) =>
  new PlatformError('rate_limited', message, {
    code: 'UNKNOWN_ERROR',
    retryAfterSeconds,
    mayHaveHappened: false,
    cause,
  });
