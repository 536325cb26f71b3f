import { forms } from 'virtual:openapi';
import { type ComposerDraft, ConnectionError, CrierError } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { type Draft, emptyDraft } from '../draft.ts';
import { readWhen } from '../schedule/when.ts';
import { Conflict, type Place, type SaveEffects } from './autosaver.ts';
import { keepBackup, removeBackup } from './local-backup.ts';
import { changesOf, draftOf, isAsStored, newPostOf } from './post-of-draft.ts';
import { readDraft } from './stored-draft.ts';

type PostPlace = Place & { kind: 'post' };

/** Saves drafts with the API, and unsaved changes in this browser. */
export function saveEffects(
  { userId, place: first }: { userId: string; place: Place },
  timeZone: string,
  onPlace: (place: Place) => void,
): SaveEffects {
  let place = first;
  return {
    async createPost(draft) {
      requireConnection();
      const { postGroupId } = await crier.createPost({
        ...newPostOf(draft, forms),
        ...timeFor(draft, timeZone),
        status: 'draft',
      });
      if (place.kind === 'draft') void crier.deleteDraft({ draftId: place.draftId }).catch(() => undefined);
      return {
        kind: 'post',
        postGroupId,
        version: (await crier.getEditablePost({ postGroupId })).version,
        isScheduled: false,
      };
    },
    async updatePost(at, draft, stored) {
      requireConnection();
      return updatePost(at, { draft, stored }, { ...timeFor(draft, timeZone) }, timeZone);
    },
    async saveDraft(at, draft) {
      requireConnection();
      try {
        const { version } = await crier.saveDraft({ draftId: at.draftId, version: at.version, draft });
        return { ...at, version };
      } catch (error) {
        throw draftConflict(error, at) ?? error;
      }
    },
    newDraftId: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    onPlace(next) {
      removeBackup(userId, identityOf(place));
      place = next;
      onPlace(next);
    },
    keep: (draft) => keepBackup(userId, identityOf(place), draft),
    forget: () => removeBackup(userId, identityOf(place)),
  };
}

/** Fails fast when the browser knows that it is offline. */
function requireConnection() {
  if (!navigator.onLine) throw new ConnectionError('You’re offline.', { code: 'OFFLINE' });
}

/** Writes the draft over the version that it is based on. A change to the files only isn't a conflict. */
export async function updatePost(
  at: PostPlace,
  { draft, stored }: { draft: Draft; stored: Draft },
  more: { scheduledTime?: string; status?: 'draft' | 'scheduled'; publishNow?: boolean },
  timeZone: string,
): Promise<PostPlace> {
  const { postGroupId, version } = at;
  try {
    await crier.updatePost({ postGroupId, ...changesOf(draft, forms), ...more, version });
    const isScheduled = more.status === 'scheduled' || more.publishNow === true;
    return { ...at, version: version + 1, isScheduled };
  } catch (error) {
    if (!(error instanceof CrierError) || error.code !== 'POST_GROUP_VERSION_CONFLICT') throw error;
    const current = await crier.getEditablePost({ postGroupId });
    const place: PostPlace = { ...at, version: current.version, isScheduled: current.status === 'scheduled' };
    const theirs = draftOf(current, timeZone);
    if (isAsStored(theirs, stored, timeZone)) return updatePost(place, { draft, stored }, more, timeZone);
    throw new Conflict(theirs, place);
  }
}

/** The ID in the address and of the local backup. */
export function identityOf(place: Place): string {
  if (place.kind === 'post') return place.postGroupId;
  return place.kind === 'draft' ? place.draftId : '';
}

/** Incomplete and past times aren't saved yet. */
function timeFor({ date, time }: Draft, timeZone: string): { scheduledTime?: string } {
  const when = readWhen(date, time, { now: new Date(), timeZone, phrases: null });
  return when.kind === 'at' ? { scheduledTime: when.at.toISOString() } : {};
}

function draftConflict(error: unknown, at: Place & { kind: 'draft' }): Conflict | null {
  if (!(error instanceof CrierError) || error.code !== 'DRAFT_CHANGED') return null;
  // Null: it was deleted or became a post.
  const current = error.body.current as ComposerDraft | null;
  const { version, draft } = current ?? { version: 0, draft: null };
  return new Conflict(readDraft(draft) ?? emptyDraft, { ...at, version });
}
