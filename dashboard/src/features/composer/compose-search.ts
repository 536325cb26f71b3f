import type { ListedMedia } from '@crier/client';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opens the composer with the cursor in the text. */
    isWriting?: boolean;
    /** A file of the library for a new post. */
    file?: ListedMedia;
  }
}

/** The composer's search parameters. */
export interface ComposeSearch {
  /** A draft that isn't a post yet. */
  readonly draft?: string;
  readonly date?: string;
  readonly time?: string;
  /** The channel of a new post. */
  readonly channel?: string;
  /** The page was opened by an app that shares something. */
  readonly shared?: string;
}

export const readComposeSearch = ({ draft, date, time, channel, shared }: Record<string, unknown>): ComposeSearch => ({
  ...(text(draft) && { draft: text(draft)! }),
  ...(text(date) && { date: text(date)! }),
  ...(text(time) && { time: text(time)! }),
  ...(text(channel) && { channel: text(channel)! }),
  ...(text(shared) && { shared: text(shared)! }),
});

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);
