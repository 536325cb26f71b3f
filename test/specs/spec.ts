import type { Exchange } from './exchange.ts';

/** A vendor's description of its API, in a form that a program can read. */
export interface Spec {
  /** The package and its version, or the file, and from when the description is. */
  readonly source: string;
  /** What it cannot see, in a sentence. */
  readonly limits?: string;
  /** A verdict on each exchange, in their order. */
  check(exchanges: readonly Exchange[]): Promise<Verdict[]>;
}

export interface Verdict {
  readonly exchange: Exchange;
  /** Whether the description covers this call and this answer. What it does not cover was not checked. */
  readonly covers: { readonly request: boolean; readonly answer: boolean };
  /** In sentences. */
  readonly problems: readonly string[];
}

export const notCovered = (exchange: Exchange): Verdict => ({
  exchange,
  covers: { request: false, answer: false },
  problems: [],
});
