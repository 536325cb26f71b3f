import type { Faults } from './faults.ts';
import type { Network } from './network.ts';
import type { RequestLog } from './request-log.ts';
import type { Store } from './store/index.ts';

/** What every part of the sandbox can reach. */
export interface Sandbox {
  readonly networks: readonly Network[];
  readonly store: Store;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly options: SandboxOptions;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface SandboxOptions {
  /** `vendor` refuses what is over the network's documented budgets; `off` only counts and reports them in headers. */
  readonly rateLimits: 'vendor' | 'off';
  /** How long a network takes to process an uploaded video. */
  readonly processingMs: number;
}
