import type { Operation } from '../faults.ts';
import type { Json } from './json.ts';

export interface LoggedRequest {
  readonly platform: string;
  readonly host: string;
  operation: Operation;
  readonly method: string;
  readonly path: string;
  /** Null until the response is sent. It stays null when the connection was reset. */
  status: number | null;
  readonly time: string;
  /** The request and the response. Only a sandbox with `recordBodies` keeps them. */
  request?: RecordedMessage;
  response?: RecordedMessage;
}

/** Contains no secrets. */
export interface RecordedMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON or the fields of a form. A file is shown as a text with its type and size. Null if there is no body. */
  readonly body: Json;
}

const maxEntries = 20_000;

/** Holds the latest requests, oldest first. */
export function createRequestLog() {
  let entries: LoggedRequest[] = [];
  return {
    add(entry: LoggedRequest): LoggedRequest {
      entries.push(entry);
      // Dropping half of the entries together keeps the cost per request constant.
      if (entries.length >= maxEntries * 2) entries = entries.slice(-maxEntries);
      return entry;
    },
    list(platform?: string): LoggedRequest[] {
      const last = entries.slice(-maxEntries);
      return platform === undefined ? last : last.filter((entry) => entry.platform === platform);
    },
    clear(platform?: string): void {
      entries = platform === undefined ? [] : entries.filter((entry) => entry.platform !== platform);
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
