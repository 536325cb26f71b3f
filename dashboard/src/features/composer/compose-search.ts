/** What the address of the composer says besides the id of a post. */
export interface ComposeSearch {
  /** A draft that is no post yet. */
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
