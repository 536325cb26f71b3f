/** The composer's search parameters. */
export interface ComposeSearch {
  /** A draft that isn't a post yet. */
  readonly draft?: string;
  readonly date?: string;
  readonly time?: string;
}

export const readComposeSearch = ({ draft, date, time }: Record<string, unknown>): ComposeSearch => ({
  ...(text(draft) && { draft: text(draft)! }),
  ...(text(date) && { date: text(date)! }),
  ...(text(time) && { time: text(time)! }),
});

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);
