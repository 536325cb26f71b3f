import { CrierError } from '@crier/client';
import { lastingCrier } from '../../../lib/api.ts';
import { ownerNow } from '../../../lib/brands/brand.ts';
import { batches, problemIn } from '../../../lib/posts/move-posts.ts';
import { runEach } from '../../../lib/run-each.ts';
import type { DeletionRequests, Failure } from './deferred-deletions.ts';
import type { Deletable } from './undoable.ts';

/** The requests of a deletion that starts now. They act for the brands of now, whichever the page shows later. */
export const deletionRequests: DeletionRequests = {
  unschedule: (posts) => setStatus(posts, 'draft'),
  schedule: (posts) => setStatus(posts, 'scheduled'),
  async remove(posts) {
    const failures: Failure[] = [];
    await Promise.all([removeDrafts(posts, failures), removePosts(posts, failures)]);
    return failures;
  },
};

const owners = new WeakMap<Deletable, string | undefined>();

/** Remembers whose the posts are. */
export function keepOwners(posts: readonly Deletable[]) {
  for (const post of posts) owners.set(post, ownerNow(post.postGroupId));
}

const asOwner = (post: Deletable) => ({ userId: owners.get(post) });

async function setStatus(posts: readonly Deletable[], status: 'draft' | 'scheduled'): Promise<Failure[]> {
  const failures: Failure[] = [];
  await runEach(posts, (post) =>
    lastingCrier
      .updatePost({ postGroupId: post.postGroupId, status }, asOwner(post))
      .catch((error: unknown) => failures.push({ post, error })),
  );
  return failures;
}

function removeDrafts(posts: readonly Deletable[], failures: Failure[]) {
  const drafts = posts.filter(({ draftId }) => draftId !== undefined);
  // All together, because the page may be about to be left.
  const atOnce = Math.max(drafts.length, 1);
  const remove = (post: Deletable) =>
    lastingCrier.deleteDraft({ draftId: post.draftId! }, asOwner(post)).catch((error: unknown) => {
      if (!isGone(error)) failures.push({ post, error });
    });
  return runEach(drafts, remove, { atOnce });
}

async function removePosts(posts: readonly Deletable[], failures: Failure[]) {
  const byOwner = Map.groupBy(
    posts.filter(({ draftId }) => draftId === undefined),
    (post) => owners.get(post),
  );
  const removals = [...byOwner].flatMap(([userId, ofOwner]) =>
    batches(ofOwner).map(async (batch) => {
      try {
        const postGroupIds = batch.map(({ postGroupId }) => postGroupId);
        const { results } = await lastingCrier.deletePosts({ postGroupIds }, { userId });
        for (const [index, result] of results.entries()) {
          const error = result.status === 404 ? null : problemIn(result);
          if (error) failures.push({ post: batch[index]!, error });
        }
      } catch (error) {
        failures.push(...batch.map((post) => ({ post, error })));
      }
    }),
  );
  await Promise.all(removals);
}

/** It has been deleted elsewhere. */
const isGone = (error: unknown) => error instanceof CrierError && error.status === 404;
