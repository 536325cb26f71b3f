/** One line of the error table. */
export interface ProblemEntry {
  readonly status: number;
  readonly error: string;
  readonly code?: string;
  readonly message?: string;
  readonly field?: string;
}

export type ProblemEntries = Readonly<Record<string, ProblemEntry>>;
