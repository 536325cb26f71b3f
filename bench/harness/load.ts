import { type Child, startChild } from './child.ts';
import type { LoadPlan, LoadResult } from './load-client.ts';
import { type Parties, type Timed, timed } from './processes.ts';

export interface LoadClient extends AsyncDisposable {
  readonly pid: number;
  /** Request numbers continue from one call to the next, so that no two requests are the same. */
  send(plan: Omit<LoadPlan, 'first' | 'status'> & { status?: number }): Promise<LoadResult>;
  /** The same, with the CPU use of all parties. */
  sendTimed(parties: Parties, plan: Parameters<LoadClient['send']>[0]): Promise<Timed<LoadResult>>;
}

export async function startLoadClient(): Promise<LoadClient> {
  const child: Child = await startChild(new URL('load-client.ts', import.meta.url));
  let first = 1;
  const send: LoadClient['send'] = (plan) => {
    const numbered: LoadPlan = { status: 200, ...plan, first };
    first += plan.count;
    return child.ask<LoadResult>(numbered);
  };
  return {
    pid: child.pid,
    send,
    sendTimed: (parties, plan) => timed(parties, () => send(plan)),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

export type { LoadPlan, LoadResult, RequestTemplate } from './load-client.ts';
