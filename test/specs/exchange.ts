import type { Json } from '../../src/foundation/lib/json.ts';

/** A call of an adapter and the sandbox's response, without secrets. */
export interface Exchange {
  /** The sandbox's operation for it: `publish`, `upload`, `token`. */
  readonly operation: string;
  readonly method: string;
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: Message;
  /** Null if the connection broke. */
  readonly answer: (Message & { readonly status: number }) | null;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export type JsonObject = { [name: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of a call in a report: without ids, so that equal calls are listed once. */
export function nameOf({ method, host, path }: Exchange): string {
  const parts = decodeURIComponent(path)
    .split('/')
    .map((part) => (/\d{4,}|^did:|^[\w-]{11,}\d[\w-]*$/.test(part) ? '…' : part));
  return `${method} ${host}${parts.join('/')}`;
}
