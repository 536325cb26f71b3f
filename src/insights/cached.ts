import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { Json } from '../lib/json.ts';
import { claimAsking, endAsking, readCached, storeAnswer } from './cache-queries.ts';

type Needs = Pick<App, 'db' | 'clock'>;

/** Longer than any question takes; then whoever asked is taken for dead. */
const askingMs = 100_000;
const lookEveryMs = 50;

/** Questions under way in this process: the same question is asked once, and its failure is everybody's. */
const asking = new Map<string, Promise<{ value: Json; cached: boolean }>>();

/**
 * The answer that is remembered under the key, or the network's, remembered for `seconds`. However many ask at once, in
 * however many processes, the network is asked once. A failure is not remembered.
 */
export async function cached<T extends Json>(
  app: Needs,
  key: string,
  seconds: number,
  ask: () => Promise<T>,
): Promise<{ value: T; cached: boolean }> {
  const running = asking.get(key) ?? answer(app, key, seconds, ask).finally(() => asking.delete(key));
  asking.set(key, running);
  return (await running) as { value: T; cached: boolean };
}

async function answer(app: Needs, key: string, seconds: number, ask: () => Promise<Json>) {
  for (;;) {
    const now = app.clock.now();
    const known = await readCached(app.db, key, now);
    if (known) return { value: known.value, cached: true };
    if (await claimAsking(app.db, key, now, new Date(now.getTime() + askingMs))) break;
    await sleep(lookEveryMs);
  }
  try {
    const value = await ask();
    await storeAnswer(app.db, key, value, new Date(app.clock.now().getTime() + seconds * 1000));
    return { value, cached: false };
  } catch (error) {
    await endAsking(app.db, key);
    throw error;
  }
}
