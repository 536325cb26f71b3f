import { NotFoundError } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import type { ComposeSearch } from '../compose-search.ts';
import { type Draft, emptyDraft } from '../draft.ts';
import type { Start } from '../use-composer.ts';
import type { Place } from './autosaver.ts';
import { identityOf } from './effects.ts';
import { readBackup } from './local-backup.ts';
import { draftOf, isAsStored } from './post-of-draft.ts';
import { readDraft } from './stored-draft.ts';

interface Person {
  readonly userId: string;
  readonly timeZone: string;
}

/** The composer's initial state: a post, a draft that isn't a post yet, or nothing. */
export async function loadStart(
  { postGroupId, search }: { postGroupId: string | null; search: ComposeSearch },
  { userId, timeZone }: Person,
): Promise<Start & { isOver: boolean }> {
  if (postGroupId) {
    const post = await crier.getEditablePost({ postGroupId });
    const isOver = post.status !== 'draft' && post.status !== 'scheduled';
    const place: Place = { kind: 'post', postGroupId, version: post.version, isScheduled: post.status === 'scheduled' };
    return { ...startFrom(place, draftOf(post, timeZone), { userId, timeZone }), isOver };
  }
  if (search.draft) {
    const { version, draft } = await readStored(search.draft, userId);
    const place: Place = { kind: 'draft', draftId: search.draft, version };
    return { ...startFrom(place, draft, { userId, timeZone }), isOver: false };
  }
  const { date = '', time = '', channel } = search;
  const stored: Draft = { ...emptyDraft, date, time, channels: channel ? [channel] : [] };
  return { ...startFrom({ kind: 'nowhere' }, stored, { userId, timeZone }), isOver: false };
}

/** A draft deleted elsewhere can still be opened if this browser has a backup. */
async function readStored(draftId: string, userId: string): Promise<{ version: number; draft: Draft }> {
  try {
    const { version, draft } = await crier.getDraft({ draftId });
    return { version, draft: readDraft(draft) ?? emptyDraft };
  } catch (error) {
    if (error instanceof NotFoundError && readBackup(userId, draftId)) return { version: 0, draft: emptyDraft };
    throw error;
  }
}

function startFrom(place: Place, stored: Draft, { userId, timeZone }: Person): Start {
  const backup = readBackup(userId, identityOf(place));
  const filesIn = (draft: Draft) => JSON.stringify([draft.files, draft.ownFiles]);
  const isUnsaved = backup && (filesIn(backup) !== filesIn(stored) || !isAsStored(stored, backup, timeZone));
  return { userId, place, stored, unsaved: isUnsaved ? backup : null };
}
