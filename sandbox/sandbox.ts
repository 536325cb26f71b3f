import type { Faults } from './faults.ts';
import type { SandboxPlatform } from './platform.ts';
import type { RequestLog } from './request-log.ts';
import type { Store } from './store/index.ts';
import type { Switches } from './switches.ts';

/** The context that every part of the sandbox receives. */
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
