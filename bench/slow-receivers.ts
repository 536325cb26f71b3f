import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './harness/child.ts';
import { startStage } from './harness/stage.ts';
import type { Arrivals } from './receivers.ts';
import { addEvents, addWebhooks } from './webhooks.ts';

/** The maximum number of webhooks per account, on a few accounts. */
const slow = { owners: 13, each: 10, answerAfterMs: 9_000 };
const quickOwners = 5;

/**
 * Milliseconds from an event of other owners to its arrival, sorted: when quiet, and while slow receivers have a
 * backlog.
 */
export async function measureSlowReceivers(seconds: number): Promise<{ quiet: number[]; meanwhile: number[] }> {
  const hanging = slow.owners * slow.each;
  // In separate processes: hundreds of simultaneous responses would delay the quick receivers' measurements.
  const program = new URL('receivers.ts', import.meta.url);
  await using hangingOnes = await startChild(program, {
    receivers: hanging,
    hanging,
    answerAfterMs: slow.answerAfterMs,
  });
  await using child = await startChild(program, { receivers: quickOwners, hanging: 0 });
  const ports = [...(hangingOnes.ready as number[]), ...(child.ready as number[])];
  const allowed = ports.map((port) => `127.0.0.1:${port}`);
  await using stage = await startStage({ environment: { EGRESS_ALLOW: allowed.join() } });
  const slowOwner = (index: number) => `slow${Math.floor(index / slow.each)}`;
  const hooks = ports.map((port, index) => ({ port, owner: index < hanging ? slowOwner(index) : `quick${index}` }));
  await addWebhooks(stage.pool, hooks.slice(0, hanging), 'slow');
  await addWebhooks(stage.pool, hooks.slice(hanging), 'quick');

  const measure = async () => {
    await child.ask('begin again');
    for (let i = 0; i < seconds * 10; i += 1) {
      await addEvents(stage.pool, 1, 'quick');
      await sleep(100);
    }
    const expected = seconds * 10 * quickOwners;
    for (const until = performance.now() + 30_000; performance.now() < until; await sleep(100)) {
      const { late } = await child.ask<Arrivals>('what arrived?');
      if (late.length >= expected) return late.toSorted((one, other) => one - other);
    }
    throw new Error('The events of other owners did not arrive within 30 s.');
  };
  await measure();
  const quiet = await measure();
  // Gives each webhook minutes of work.
  await addEvents(stage.pool, 20, 'slow');
  await sleep(3_000);
  return { quiet, meanwhile: await measure() };
}
