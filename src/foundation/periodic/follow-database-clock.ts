import { sql } from 'kysely';
import type { WakeableLoop } from '../lib/wakeable-loop.ts';
import { systemClock } from '../time/clock.ts';
import type { SteadyClock } from '../time/steady-clock.ts';
import { type LoopContext, startWatchedLoop } from './background-work.ts';
import { clockOffset } from './metrics.ts';

const everyMs = 5_000;
const loggedMs = 1_000;

/**
 * All processes use the database's clock, so that they agree on what is due. If a machine's clock is wrong, or is
 * changed while Crier runs, nothing is published early or late.
 */
export async function followDatabaseClock(app: LoopContext, clock: SteadyClock): Promise<WakeableLoop> {
  let isLogged = false;

  async function follow() {
    const askedAt = performance.now();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(app.db);
    const shown = rows[0]!.now;
    const answeredAt = performance.now();
    // A slow response says little about the clock.
    const tookMs = answeredAt - askedAt;
    const ownAheadMs = systemClock.now().getTime() - tookMs / 2 - shown.getTime();
    const correctedMs = clock.follow(shown, askedAt, answeredAt);
    clockOffset.set(ownAheadMs / 1000);
    const isWrong = Math.abs(ownAheadMs) > Math.max(loggedMs, tookMs);
    if (isWrong && !isLogged)
      app.log.warn(
        { seconds: ownAheadMs / 1000, correctedSeconds: correctedMs / 1000 },
        'the clock of this machine differs from the database clock, which Crier uses: synchronize both',
      );
    isLogged = isWrong;
    return null;
  }

  await follow();
  return startWatchedLoop(app, 'clock', follow, { maxSleepMs: everyMs });
}
