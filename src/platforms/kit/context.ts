import type { Json } from '../../foundation/lib/json.ts';

export interface PlatformRequestInit extends RequestInit {
  maxAnswerBytes?: number;
}

/** Everything that an adapter can use: it has no database, no environment, no global clock or fetch. */
export interface PlatformClient {
  /**
   * The standard fetch, with a timeout, the egress guard and logging. It throws PlatformError only, also for a body that is
   * too large (`answer-bounds.ts`). In sandbox mode it calls the sandbox.
   */
  readonly fetch: (input: string | URL | Request, init?: PlatformRequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
  /** The service's clock. */
  now(): Date;
  /** The earliest that a moment of the service's clock can be by the platform's clock, which its last response told. */
  platformTime(at: Date | number): number;
  /** What the operator configured of the `options` in the description, by name. */
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
  /** Unique on this platform, never reused, and usable in a connection id: no blanks, no `/`, `?` or `#`. */
  id: string;
  handle: string;
  displayName: string;
  avatarUrl: string | null;
  profileUrl: string | null;
  /** Other facts that the adapter stores about the account, such as the limits of its instance. */
  traits: { [name: string]: Json };
};
