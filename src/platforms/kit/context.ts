import type { Json } from '../../foundation/lib/json.ts';

export interface PlatformRequestInit extends RequestInit {
  maxAnswerBytes?: number;
}

/** Everything an adapter can use: it has no database, no environment, no global clock or fetch. */
export interface PlatformClient {
  /**
   * The standard fetch, with a timeout, the egress guard and logging. It throws only PlatformError, even for a body
   * that is too large (`answer-bounds.ts`). In sandbox mode it calls the sandbox.
   */
  readonly fetch: (input: string | URL | Request, init?: PlatformRequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
  /** The service's clock. */
  now(): Date;
  /**
   * Converts a time of the service's clock to the platform's clock, as its last response reported it. The result is a
   * lower bound.
   */
  platformTime(at: Date | number): number;
  /** The operator's values for the `options` in the description, by name. */
  readonly options: Readonly<Partial<Record<string, string>>>;
  /** Our OAuth application on this platform. Throws PlatformError if the operator has not configured one. */
  application(): Application;
}
export interface Application {
  id: string;
  secret: string;
}
export interface Context<C> extends PlatformClient {
  readonly account: Account;
  readonly credentials: C;
}

export type Account = {
  /** Unique on this platform, never reused, and usable in a connection id: no spaces, no `/`, `?` or `#`. */
  id: string;
  handle: string;
  displayName: string;
  avatarUrl: string | null;
  profileUrl: string | null;
  /** Other facts that the adapter stores about the account, such as its instance's limits. */
  traits: { [name: string]: Json };
};
