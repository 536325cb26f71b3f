/** A row as SQLite gives it: these columns are JSON text, or 0 and 1. */
export type Stored<T, Texts extends keyof T, Flags extends keyof T = never> = Omit<T, Texts | Flags> &
  Record<Texts, string> &
  Record<Flags, number>;
