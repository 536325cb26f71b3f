import { type Draft, emptyDraft } from '../draft.ts';

/** A draft as it was stored by any version of these pages. Null if it is none. */
export function readDraft(stored: unknown): Draft | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { text, channels, ...others }: Partial<Draft> = stored;
  if (typeof text !== 'string' || !Array.isArray(channels)) return null;
  return { ...emptyDraft, ...others, text, channels };
}
