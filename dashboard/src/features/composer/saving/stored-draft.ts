import { type Draft, emptyDraft } from '../draft.ts';

/** Reads a draft stored by any version of the dashboard. Null if it isn't one. */
export function readDraft(stored: unknown): Draft | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { text, channels, ...others }: Partial<Draft> = stored;
  if (typeof text !== 'string' || !Array.isArray(channels)) return null;
  return { ...emptyDraft, ...others, text, channels };
}
