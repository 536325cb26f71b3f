import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import { presentLog } from './present.ts';
import { selectLogs } from './read-queries.ts';

export const logWindowMs = 90 * 24 * 3_600_000;

/** The events of a group in the last 90 days, oldest first, at most 100 (contract 4.11). */
export async function listPostLogs({ db, clock }: Pick<App, 'db' | 'clock'>, who: Who, postGroupId: string) {
  const since = new Date(clock.now().getTime() - logWindowMs);
  const logs = await selectLogs(db, who.userId, postGroupId, since);
  if (!logs) throw new Problem('post_group_not_found');
  return { success: true as const, logs: logs.map(presentLog) };
}
