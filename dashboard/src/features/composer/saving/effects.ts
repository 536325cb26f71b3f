import { forms } from 'virtual:openapi';
import { type ComposerDraft, ConnectionError, CrierError } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { isDateKey } from '../../../lib/time/time.ts';
import { type Draft, emptyDraft } from '../draft.ts';
import { listsOfNew } from '../media/own/own-files.ts';
import { storeOwnFiles } from '../media/own/store-own-files.ts';
import type { Attached } from '../media/staged-files.ts';
import { storeFiles } from '../media/store-files.ts';
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
  attached: Map<string, string>,
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
      return updatePost(at, { draft, stored, attached }, { ...timeFor(draft, timeZone) }, timeZone);
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
    async storeFiles(at, { channels, files, ownFiles }, stored) {
      requireConnection();
      // A conflict has to be seen before anything changes.
      const place = at.isScheduled ? await readPlace(at.postGroupId, stored, timeZone) : at;
      const own = Object.entries(ownFiles).filter(([channel]) => channels.includes(channel));
      // Separate files may be copies of shared ones, which are deleted last.
      if (own.length > 0) await storeOwnFiles(place.postGroupId, Object.fromEntries(own), attached);
      if (files) await storeFiles(place.postGroupId, files, attached);
      return { ...place, isScheduled: false, isBehind: true };
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
  { draft, stored, attached }: { draft: Draft; stored: Draft; attached: Attached },
  more: { scheduledTime?: string; status?: 'draft' | 'scheduled'; publishNow?: boolean },
  timeZone: string,
): Promise<PostPlace> {
  const place = at.isBehind ? await readPlace(at.postGroupId, stored, timeZone) : at;
  const { postGroupId, version, isScheduled } = place;
  const platformMedia = listsOfNew(draft, stored.channels, attached);
  try {
    await crier.updatePost({ postGroupId, ...changesOf(draft, forms), platformMedia, ...more, version });
    const isNowScheduled = more.status === undefined ? isScheduled : more.status === 'scheduled';
    return { ...place, version: version + 1, isScheduled: isNowScheduled || more.publishNow === true };
  } catch (error) {
    if (!(error instanceof CrierError) || error.code !== 'POST_GROUP_VERSION_CONFLICT') throw error;
    return updatePost(await readPlace(postGroupId, stored, timeZone), { draft, stored, attached }, more, timeZone);
  }
}

/** The post as it is on the server. Throws if someone else changed what the draft is based on. */
async function readPlace(postGroupId: string, stored: Draft, timeZone: string): Promise<PostPlace> {
  const current = await crier.getEditablePost({ postGroupId });
  const isScheduled = current.status === 'scheduled';
  const place: PostPlace = { kind: 'post', postGroupId, version: current.version, isScheduled };
  const theirs = draftOf(current, timeZone);
  if (!isAsStored(theirs, stored, timeZone)) throw new Conflict(theirs, place);
  return place;
}

/** Unschedules the post, or schedules it again for the time that it keeps as a draft. */
export async function changeStatus(
  at: PostPlace,
  status: 'draft' | 'scheduled',
  owner: { userId: string | undefined },
): Promise<PostPlace> {
  await crier.updatePost({ postGroupId: at.postGroupId, status }, owner);
  return { ...at, version: at.version + 1, isScheduled: status === 'scheduled' };
}

/** The ID in the address and of the local backup. */
export function identityOf(place: Place): string {
  if (place.kind === 'post') return place.postGroupId;
  return place.kind === 'draft' ? place.draftId : '';
}

/** Incomplete and past times aren't saved yet. The field turns what is written in another form into an ISO date. */
function timeFor({ date, time }: Draft, timeZone: string): { scheduledTime?: string } {
  if (!isDateKey(date)) return {};
  const when = readWhen(date, time, { now: new Date(), timeZone, order: 'yearFirst', phrases: null });
  return when.kind === 'at' ? { scheduledTime: when.at.toISOString() } : {};
}

function draftConflict(error: unknown, at: Place & { kind: 'draft' }): Conflict | null {
  if (!(error instanceof CrierError) || error.code !== 'DRAFT_CHANGED') return null;
  // Null: it was deleted or became a post.
  const current = error.body.current as ComposerDraft | null;
  const { version, draft } = current ?? { version: 0, draft: null };
  return new Conflict(readDraft(draft) ?? emptyDraft, { ...at, version });
}
