import type { EditablePost } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { asOwnerOfPost } from '../../../lib/brands/brand.ts';
import type { PostRow } from '../list/rows.ts';
import { duplicatePost } from '../post/duplicate-post.ts';

/** What happened to one post. */
export type Outcome =
  | { kind: 'done'; text: string; postGroupId?: string; at?: string | null }
  /** There was nothing to do, or it is not possible for this post. */
  | { kind: 'skipped'; text: string }
  | { kind: 'failed'; error: unknown };

/** Changes one post. `key` identifies the change, so that it takes effect once even if it is repeated. */
export type Change = (post: PostRow, key: string) => Promise<Outcome>;

const skipped = (text: string): Outcome => ({ kind: 'skipped', text });

/** Drafts of the composer lack a channel or a text. */
const unfinished = skipped('Unfinished draft. Open it to choose channels and write some text first.');

/** Changes the stored post, unless someone else does at the same time. */
async function edit(
  post: PostRow,
  key: string,
  change: (stored: EditablePost) => { platforms: string[] } | { labels: string[] } | Outcome,
  done: string,
): Promise<Outcome> {
  if (post.draftId) return unfinished;
  const { postGroupId } = post;
  const owner = asOwnerOfPost(postGroupId);
  const stored = await crier.getEditablePost({ postGroupId }, owner);
  const fields = change(stored);
  if ('kind' in fields) return fields;
  const { version } = stored;
  // Once the post has another version, it is another change.
  await crier.updatePost({ postGroupId, ...fields, version }, { ...owner, idempotencyKey: `${key} ${version}` });
  return { kind: 'done', text: done };
}

/** Instead of channels that were disconnected. */
export const addChannel =
  (channel: string, connected: ReadonlySet<string>): Change =>
  (post, key) =>
    edit(
      post,
      key,
      ({ status, platforms }) => {
        const kept = platforms.filter((id) => connected.has(id));
        if (kept.includes(channel) && kept.length === platforms.length) return skipped('Already has this channel.');
        if (status !== 'draft' && status !== 'scheduled')
          return skipped('Already sent. Duplicate it to publish it on another channel.');
        return { platforms: [...new Set([...kept, channel])] };
      },
      'Channel added',
    );

export const addLabels =
  (added: readonly string[]): Change =>
  (post, key) =>
    edit(
      post,
      key,
      ({ labels = [] }) => {
        const missing = added.filter((label) => !labels.includes(label));
        return missing.length > 0 ? { labels: [...labels, ...missing] } : skipped('Already has this label.');
      },
      'Label added',
    );

export const removeLabels =
  (removed: readonly string[]): Change =>
  (post, key) =>
    edit(
      post,
      key,
      ({ labels = [] }) => {
        const rest = labels.filter((label) => !removed.includes(label));
        return rest.length < labels.length ? { labels: rest } : skipped('Doesn’t have this label.');
      },
      'Label removed',
    );

export const duplicate: Change = async (post, key) => {
  if (post.draftId) return unfinished;
  const owner = asOwnerOfPost(post.postGroupId);
  const original = await crier.getPost({ postGroupId: post.postGroupId }, owner);
  const copy = await duplicatePost(original, null, { ...owner, idempotencyKey: key });
  return { kind: 'done', text: 'Duplicated as a draft', postGroupId: copy };
};

/** Publishes the post as the person saw it: not if it has changed since. The service refuses one that was sent before. */
export const publish: Change = async (post, key) => {
  const obstacle = unpublishable(post);
  if (obstacle) return skipped(obstacle);
  const { postGroupId, version } = post;
  const { scheduledTime } = await crier.updatePost(
    { postGroupId, publishNow: true, ...(version !== undefined && { version }) },
    { ...asOwnerOfPost(postGroupId), idempotencyKey: key },
  );
  return { kind: 'done', text: 'Publishing', at: scheduledTime };
};

/** Why a post can't be published now. */
export function unpublishable({ draftId, status, platforms }: PostRow): string | null {
  if (draftId) return 'Unfinished draft. Open it to choose channels and write some text first.';
  if (status === 'failed' || status === 'partially_published') return 'Failed. Open it to try again.';
  if (status === 'published' || platforms.some((target) => !['draft', 'scheduled'].includes(target.status)))
    return 'Already sent.';
  return platforms.length === 0 ? 'No channel selected yet.' : null;
}
