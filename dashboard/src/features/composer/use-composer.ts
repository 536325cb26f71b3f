import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react';
import { onReconnect } from '../../lib/live/connection.ts';
import { keys } from '../../lib/query-keys.ts';
import { onSignedInAgain } from '../../lib/session-over.ts';
import { type Draft, type DraftAction, hasFileChanges, historyOf, reduceHistory } from './draft.ts';
import { Autosaver, type Place } from './saving/autosaver.ts';
import { identityOf, saveEffects } from './saving/effects.ts';

export interface Start {
  /** The person who writes. */
  readonly userId: string;
  readonly place: Place;
  /** The server's version. */
  readonly stored: Draft;
  /** The local backup, if newer. */
  readonly unsaved: Draft | null;
}

export type Change = (action: DraftAction) => void;

/** The draft with its history and autosaver. */
export function useComposer(start: Start, timeZone: string, onPlace: (place: Place) => void) {
  const [history, reduce] = useReducer(reduceHistory, start.unsaved ?? start.stored, historyOf);
  const client = useQueryClient();
  const [attached] = useState(() => new Map<string, string>());
  const [saver] = useState(
    () => new Autosaver(saveEffects(start, timeZone, onPlace, attached), start.place, start.stored),
  );
  const saveState = useSyncExternalStore(saver.subscribe, saver.state);
  const { draft, mediaEdits, past, future } = history;
  useEffect(() => saver.change(draft), [saver, draft]);
  useEffect(() => {
    const tryAgain = () => void (saver.state().kind === 'failed' && saver.flush());
    const stops = [onReconnect(tryAgain), onSignedInAgain(tryAgain)];
    return () => {
      for (const stop of stops) stop();
      saver.stop();
    };
  }, [saver]);
  const filesIn = saveState.kind === 'saved' && hasFileChanges(draft) && identityOf(saver.place);
  useEffect(() => {
    if (!filesIn) return;
    // Until the post is read again, it has the files of before.
    void client.invalidateQueries({ queryKey: keys.post(filesIn) }).then(async () => {
      const settled = await saver.settle();
      if (settled) reduce({ type: 'filesStored', draft: settled, at: Date.now() });
    });
  }, [filesIn, saver, client]);
  const [change] = useState((): Change => (action) => reduce({ ...action, at: Date.now() }));
  return {
    draft,
    mediaEdits,
    attached,
    change,
    saver,
    saveState,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}

export type Composing = ReturnType<typeof useComposer>;

/** Everything but texts and files, so that typing only rerenders the text. */
export interface Fields {
  readonly draft: Omit<Draft, 'text' | 'overrides' | 'files' | 'ownFiles'>;
  readonly change: Change;
}

export function useFields({ draft: { channels, settings, comments, labels, date, time }, change }: Composing): Fields {
  return useMemo(
    () => ({ draft: { channels, settings, comments, labels, date, time }, change }),
    [channels, settings, comments, labels, date, time, change],
  );
}
