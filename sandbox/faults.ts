export const faultKinds = [
  'status',
  'rate_limit',
  'timeout',
  'reset_before',
  'reset_after',
  'nonsense',
  'latency',
  'expired_token',
  'processing_failed',
] as const;
export type FaultKind = (typeof faultKinds)[number];

const apiOperations = ['publish', 'upload', 'token', 'comment', 'status', 'stats', 'account', 'other'] as const;
/**
 * The purpose of a request. `page` is for routes that people open in a browser (consent, profile, post): faults never
 * hit it.
 */
export type Operation = (typeof apiOperations)[number] | 'page';
export const faultOperations = [...apiOperations, 'any'] as const;

export interface Fault {
  readonly id: number;
  readonly platform: string;
  readonly operation: (typeof faultOperations)[number];
  readonly kind: FaultKind;
  readonly status: number | null;
  readonly retryAfterSeconds: number;
  readonly latencyMs: number;
  /** How many matching requests pass first. `skip: 1` hits the second part of a thread. */
  readonly skip: number;
  readonly times: number;
  /** How many more requests the fault hits. */
  remaining: number;
}

export type NewFault = Omit<Fault, 'id' | 'remaining'>;

/** Holds the faults that tests and people have injected, oldest first. */
export function createFaults() {
  let faults: (Fault & { toSkip: number })[] = [];
  let lastId = 0;
  return {
    add(fault: NewFault): Fault {
      const stored = { id: ++lastId, ...fault, remaining: fault.times, toSkip: fault.skip };
      faults.push(stored);
      return show(stored);
    },
    list: (): Fault[] => faults.map(show),
    clear(platform?: string): void {
      faults = platform === undefined ? [] : faults.filter((fault) => fault.platform !== platform);
    },
    /** Returns the fault that hits this request and counts it down. */
    take(
      platform: string,
      operations: readonly Operation[],
      isWanted: (kind: FaultKind) => boolean,
    ): Fault | undefined {
      if (faults.length === 0) return undefined;
      for (const fault of faults) {
        if (fault.remaining === 0 || fault.platform !== platform || !isWanted(fault.kind)) continue;
        if (fault.operation !== 'any' && !operations.includes(fault.operation)) continue;
        if (fault.toSkip > 0) {
          fault.toSkip -= 1;
          continue;
        }
        fault.remaining -= 1;
        return fault;
      }
      return undefined;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;

function show({ toSkip: _, ...fault }: Fault & { toSkip: number }): Fault {
  return { ...fault };
}
