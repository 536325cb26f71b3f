import type { IncomingHttpHeaders } from 'node:http';
import type { Faults, Operation } from './faults.ts';
import type { HttpResponse } from './http/http-response.ts';
import type { Json } from './http/json.ts';
import type { Redaction } from './http/redact.ts';
import type { Body } from './http/request-body.ts';
import type { RequestLog } from './http/request-log.ts';
import type { Account } from './store/accounts.ts';
import type { Store } from './store/index.ts';
import type { Switches } from './switches.ts';

/**
 * One social network, simulated from its vendor's documentation: a plain object in `platforms/<id>` and one line in
 * `platforms/index.ts`. The sandbox itself does HTTP, faults, the request log, storage and the pages for people. A
 * platform only describes what its API returns.
 */
export interface SandboxPlatform extends Redaction {
  /** The id that Crier uses for the platform. */
  readonly id: string;
  readonly name: string;
  /** Two platforms may share a host. The first whose routes match the path serves the request. */
  servesHost(host: string): boolean;
  /** The first match wins, so a fixed path stands before a pattern that also matches it. */
  readonly routes: readonly Route[];
  readonly errors: PlatformErrors;
  readonly accounts: PlatformAccounts;
  /** Behaviour that `POST /_control/switches` turns on, by name, with a description. All switches start off. */
  readonly switches?: Readonly<Record<string, string>>;
  /** A larger body gets `errors.status(413)` and reaches no handler. */
  readonly maxBodyBytes?: number;
  /** Runs before the faults and the handler of every API route: rate limits, mandatory headers. A response ends the call. */
  before?(call: Call): HttpResponse | undefined;
  /** Headers that every API response carries (rate limits, request ids). */
  headers?(call: Call): Record<string, string>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** `/api/v1/statuses/:id`. A parameter ends at the next literal character (`/bot:token/:name`); a final `*` takes the rest. */
  readonly path: string;
  /**
   * The name by which faults and the request log know this route. With a list, a fault on any of them applies; the log
   * shows the first. A reply is `['comment', 'publish']` on a platform where comments are posts.
   */
  readonly operation: Operation | ((call: Call) => Operation | readonly Operation[]);
  /** `file` writes the raw body to disk, for uploads of any size. Without it, JSON, form and multipart are parsed. */
  readonly body?: 'file';
  handle(call: Call): HttpResponse | Promise<HttpResponse>;
}

/** The platform's own form of the errors that can happen on any route. Fault injection needs nothing else from it. */
export interface PlatformErrors {
  status(status: number, call: Call): HttpResponse;
  /** `resetAt` is in milliseconds since 1970. */
  rateLimited(resetAt: number, call: Call): HttpResponse;
  expiredToken(call: Call): HttpResponse;
}

export interface PlatformAccounts {
  /** A sentence that explains which handles `normalize` accepts. */
  readonly handleRule: string;
  /** The one spelling under which an account is stored; null when the platform does not allow the handle. */
  normalize(handle: string): string | null;
  describe(handle: string, sandbox: Sandbox): AccountDescription;
  /**
   * Everything that a connection needs to act as the account, with a new token. The control API returns it unchanged.
   * Without a list of scopes, the token has every scope that a connection can have.
   */
  credentials(account: Account, sandbox: Sandbox, scopes?: readonly string[]): Record<string, Json>;
}

export type AccountDescription = Pick<Account, 'id' | 'displayName' | 'avatarUrl' | 'profileUrl' | 'data'>;

/** One request to a platform. */
export interface Call {
  readonly sandbox: Sandbox;
  readonly platform: SandboxPlatform;
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

/** Passed to every part of the sandbox. */
export interface Sandbox {
  readonly platforms: readonly SandboxPlatform[];
  readonly store: Store;
  readonly faults: Faults;
  readonly switches: Switches;
  readonly requests: RequestLog;
  readonly options: SandboxOptions;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface SandboxOptions {
  /** `vendor` refuses calls over the documented rate limits. `off` counts them and reports them in headers only. */
  readonly rateLimits: 'vendor' | 'off';
  /** How long a platform takes to process an uploaded video. */
  readonly processingMs: number;
  /** The request log keeps headers and bodies of requests and responses, which takes memory. */
  readonly recordBodies: boolean;
}

/** Any code below a handler may throw this. It ends the call with the response. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly response: HttpResponse;
  constructor(response: HttpResponse) {
    super(`refused with ${response.status}`);
    this.response = response;
  }
}
