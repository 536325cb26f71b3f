import type { Operation } from './network.ts';

export interface LoggedRequest {
  readonly network: string;
  readonly host: string;
  operation: Operation;
  readonly method: string;
  readonly path: string;
  /** Null while under way, and for good when the connection was cut. */
  status: number | null;
  readonly time: string;
}

const kept = 20_000;

/** The last requests, in the order in which they came. */
export function createRequestLog() {
  let entries: LoggedRequest[] = [];
  return {
    add(entry: LoggedRequest): LoggedRequest {
      entries.push(entry);
      // Cutting off a whole half at once keeps the cost per request constant.
      if (entries.length >= kept * 2) entries = entries.slice(-kept);
      return entry;
    },
    list(network?: string): LoggedRequest[] {
      const last = entries.slice(-kept);
      return network === undefined ? last : last.filter((entry) => entry.network === network);
    },
    clear(network?: string): void {
      entries = network === undefined ? [] : entries.filter((entry) => entry.network !== network);
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
