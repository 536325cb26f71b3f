import { CrierError } from '@crier/client';
import { type ReactNode, useState } from 'react';
import { notifyError, notifyWithUndo, reasonOf } from '../../../components/notify.tsx';
import { hidePosts, showPosts } from '../../../lib/posts/hidden-posts.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { DeferredDeletions, type Failure, isScheduled } from './deferred-deletions.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { deletionRequests, keepOwners } from './deletion-requests.ts';
import { areUndoable, type Deletable } from './undoable.ts';

const undoableForMs = 7_000;

const idsOf = (posts: readonly Deletable[]) => posts.map(({ postGroupId }) => postGroupId);

/** One for the page, because a deletion outlives the list in which it began. */
const deletions = new DeferredDeletions(deletionRequests, {
  hide: (posts) => hidePosts(queryClient, idsOf(posts)),
  show: (posts) => void showPosts(queryClient, idsOf(posts)),
  offerUndo: (posts, { undo, end }) =>
    notifyWithUndo(`Deleted ${count(posts.length, 'post')}.`, undo, { shownMs: undoableForMs, onEnd: end }),
  notDeleted: (failures) => notifyFailures('Couldn’t delete', failures),
  notScheduled: (failures) => notifyFailures('Couldn’t schedule', failures),
});

window.addEventListener('pagehide', () => void deletions.sendNow());

/** Before the session ends. */
export const sendDeletions = () => deletions.sendNow();

function notifyFailures(title: string, failures: readonly Failure[]) {
  const drafts = failures.filter(({ post }) => isScheduled(post)).length;
  const after =
    drafts === 0
      ? ''
      : ` ${drafts === 1 ? 'The post is a draft' : `${drafts} posts are drafts`} and won’t be published.`;
  notifyError(`${title} ${count(failures.length, 'post')}`, new Error(`${reasonOf(failures[0]!.error)}${after}`));
}

/**
 * Deletes posts with "Undo", or asks before a deletion that can't be undone. Render the dialog where it stays when the posts leave
 * the list.
 */
export function useDeletion(): {
  remove: (posts: readonly Deletable[], onDeleted: () => void) => void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<readonly Deletable[]>([]);
  const [isAsking, setAsking] = useState(false);
  const [onDeleted, setOnDeleted] = useState<() => void>(() => () => {});
  const ask = (posts: readonly Deletable[], then: () => void) => {
    setAsked(posts);
    setOnDeleted(() => then);
    setAsking(true);
  };
  const remove = async (posts: readonly Deletable[], then: () => void) => {
    if (!areUndoable(posts, new Date())) return ask(posts, then);
    keepOwners(posts);
    const refused = await deletions.start(posts);
    const final = refused.filter(({ error }) => isRefusal(error));
    const failures = refused.filter(({ error }) => !isRefusal(error));
    if (failures.length > 0) notifyError(`Couldn’t delete ${count(failures.length, 'post')}`, failures[0]!.error);
    if (final.length > 0) ask(final.map(asFound), then);
    else if (refused.length < posts.length) then();
  };
  return {
    remove: (posts, then) => void remove(posts, then),
    dialog: <DeleteDialog posts={asked} opened={isAsking} onClose={() => setAsking(false)} onDeleted={onDeleted} />,
  };
}

/** It can be deleted, but not unscheduled: its publication has begun, or the plan allows no other draft. */
const isRefusal = (error: unknown) =>
  error instanceof CrierError && error.status !== null && ![401, 404, 429].includes(error.status) && error.status < 500;

/** Its publication may have begun since the page was read. */
const asFound = ({ post, error }: Failure): Deletable => {
  const hasBegun =
    error instanceof CrierError && ['POST_PUBLISH_IN_PROGRESS', 'POST_NOT_EDITABLE'].includes(error.code ?? '');
  return hasBegun ? { ...post, platforms: [{ status: 'processing' }] } : post;
};
