import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './answer.ts';
import type { Body } from './body.ts';
import type { Json } from './json.ts';
import type { Sandbox } from './sandbox.ts';
import type { Account } from './store/accounts.ts';

/**
 * One social network, played from its vendor's documentation. A plain object in `networks/<id>`, and one line in
 * `networks/index.ts`. The frame does the HTTP, the faults, the request log, the storage and the pages for people; a
 * network only says what its API answers.
 */
export interface Network {
  /** The same word that Crier uses for the platform. */
  readonly id: string;
  readonly name: string;
  /** Which real host names lead here. Two networks may share a host: the first whose routes match the path answers. */
  answersFor(host: string): boolean;
  /** First match wins, so a fixed path stands before a pattern that would swallow it. */
  readonly routes: readonly Route[];
  readonly errors: NetworkErrors;
  readonly accounts: NetworkAccounts;
  /** A body over this gets `errors.status(413)` without reaching a handler. */
  readonly maxBodyBytes?: number;
  /** Runs before faults and handler of every API route: budgets, mandatory headers. An answer ends the call. */
  before?(call: Call): Answer | undefined;
  /** Headers that every API answer carries (rate-limit budgets, request ids). */
  headers?(call: Call): Record<string, string>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** `/api/v1/statuses/:id`; a parameter ends at the next literal character (`/bot:token/:name`); a last `*` takes the rest. */
  readonly path: string;
  /**
   * What faults and the request log call this. A list means that a fault on any of them applies (a reply on a network
   * where comments are posts is `['comment', 'publish']`); the log shows the first.
   */
  readonly operation: Operation | ((call: Call) => Operation | readonly Operation[]);
  /** `file` spools the raw body to disk for uploads of any size; otherwise JSON, form and multipart are parsed. */
  readonly body?: 'file';
  handle(call: Call): Answer | Promise<Answer>;
}

/** `page` is what people's browsers open (consent, profile, post): faults never touch it. */
export type Operation = 'publish' | 'upload' | 'token' | 'comment' | 'status' | 'stats' | 'account' | 'other' | 'page';

/** How this network words what can go wrong on any route. Also the whole of what fault injection needs from it. */
export interface NetworkErrors {
  status(status: number, call: Call): Answer;
  /** `resetAt` in milliseconds. */
  rateLimited(resetAt: number, call: Call): Answer;
  expiredToken(call: Call): Answer;
}

export interface NetworkAccounts {
  /** The one spelling under which an account is kept; null when the network would not allow such a handle. */
  normalize(handle: string): string | null;
  describe(handle: string, sandbox: Sandbox): AccountDescription;
  /** Everything a connection needs to act as the account, with a fresh token. Sent as it is to the control API's caller. */
  credentials(account: Account, sandbox: Sandbox): Record<string, Json>;
}

export type AccountDescription = Pick<Account, 'id' | 'displayName' | 'avatarUrl' | 'profileUrl' | 'data'>;

/** One request to a network. */
export interface Call {
  readonly sandbox: Sandbox;
  readonly network: Network;
  readonly method: string;
  /** The real host name, e.g. `mastodon.social`. */
  readonly host: string;
  /** The path at that host, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** Thrown anywhere below a handler: ends the call with this answer. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}
