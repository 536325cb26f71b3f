import { useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react';
import { onReconnect } from '../../lib/live/connection.ts';
import { onSignedInAgain } from '../../lib/session-over.ts';
import { type Draft, type DraftAction, historyOf, reduceHistory } from './draft.ts';
import { Autosaver, type Place } from './saving/autosaver.ts';
import { saveEffects } from './saving/effects.ts';

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
  const [saver] = useState(() => new Autosaver(saveEffects(start, timeZone, onPlace), start.place, start.stored));
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
  const [change] = useState((): Change => (action) => reduce({ ...action, at: Date.now() }));
  return { draft, mediaEdits, change, saver, saveState, canUndo: past.length > 0, canRedo: future.length > 0 };
}

export type Composing = ReturnType<typeof useComposer>;

/** Everything but the texts, so that typing only rerenders the text. */
export interface Fields {
  readonly draft: Omit<Draft, 'text' | 'overrides'>;
  readonly change: Change;
}

export function useFields({ draft: { channels, settings, comments, date, time }, change }: Composing): Fields {
  return useMemo(
    () => ({ draft: { channels, settings, comments, date, time }, change }),
    [channels, settings, comments, date, time, change],
  );
}
