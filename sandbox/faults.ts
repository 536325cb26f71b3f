import type { Operation } from './network.ts';

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

export const faultOperations = [
  'publish',
  'upload',
  'token',
  'comment',
  'status',
  'stats',
  'account',
  'other',
  'any',
] as const;

export interface Fault {
  readonly id: number;
  readonly network: string;
  readonly operation: (typeof faultOperations)[number];
  readonly kind: FaultKind;
  readonly status: number | null;
  readonly retryAfterSeconds: number;
  readonly latencyMs: number;
  /** Matching requests that pass unharmed first: `skip: 1` hits the second part of a thread. */
  readonly skip: number;
  readonly times: number;
  /** How many more requests it will hit. */
  remaining: number;
}

export type NewFault = Omit<Fault, 'id' | 'remaining'>;

/** The trouble that tests and people have ordered, oldest first. */
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
    clear(network?: string): void {
      faults = network === undefined ? [] : faults.filter((fault) => fault.network !== network);
    },
    /** The fault that hits this request, used up by one. */
    take(network: string, happening: readonly Operation[], isWanted: (kind: FaultKind) => boolean): Fault | undefined {
      if (faults.length === 0) return undefined;
      for (const fault of faults) {
        if (fault.remaining === 0 || fault.network !== network || !isWanted(fault.kind)) continue;
        if (fault.operation !== 'any' && !happening.includes(fault.operation)) continue;
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
