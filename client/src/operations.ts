import { EventSequence } from './events.ts';
import { Pages } from './pages.ts';

/** The HTTP request of one operation. */
export interface Call {
  method: string;
  path: string;
  /** Input fields that go into the query. */
  query?: readonly string[];
  /** How the service recognizes a retry: by the key of the request, or by the keys of the posts in it. */
  keyed?: 'request' | 'posts';
  /** The body is a form with a file. */
  form?: boolean;
  /** The media type of the response. Default: JSON. */
  answers?: string;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Identifies a write, so that it can be retried. Default: a new key for each call. */
  idempotencyKey?: string | undefined;
  /** The managed user to act for. */
  userId?: string | undefined;
}

export type NoInput = Record<string, never>;

/** The base class of the generated methods. */
export abstract class Operations {
  protected abstract call<Body>(call: Call, input: object, options: CallOptions): Promise<Body>;
  protected abstract open(call: Call, input: object, options: CallOptions, lastEventId?: string): Promise<Response>;

  protected pages<Body, Item>(call: Call, input: object, options: CallOptions, field: string): Pages<Body, Item> {
    return new Pages((next) => this.call<Body>(call, { ...input, ...next }, options), field);
  }

  protected follow<Event>(call: Call, input: object, options: CallOptions, isEndless: boolean): EventSequence<Event> {
    const { signal } = options;
    return new EventSequence((lastId) => this.open(call, input, options, lastId), { signal, isEndless });
  }
}
