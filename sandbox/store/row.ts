/** A row as SQLite returns it: `Texts` are JSON text, `Flags` are 0 or 1. */
export type Row<T, Texts extends keyof T, Flags extends keyof T = never> = Omit<T, Texts | Flags> &
  Record<Texts, string> &
  Record<Flags, number>;
