import type { Exchange } from './exchange.ts';

/** A vendor's machine-readable description of its API. */
export interface Spec {
  /** The package and its version, or the file, and the date of the description. */
  readonly source: string;
  /** What it cannot check, in a sentence. */
  readonly limits?: string;
  /** A verdict on each exchange, in order. */
  check(exchanges: readonly Exchange[]): Promise<Verdict[]>;
}

export interface Verdict {
  readonly exchange: Exchange;
  /** Whether the description covers this request and this response. Anything else was not checked. */
  readonly covers: { readonly request: boolean; readonly answer: boolean };
  /** In sentences. */
  readonly problems: readonly string[];
}

export const notCovered = (exchange: Exchange): Verdict => ({
  exchange,
  covers: { request: false, answer: false },
  problems: [],
});
