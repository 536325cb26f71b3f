import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { clamp } from '../../../foundation/lib/clamp.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { selectLogs } from '../read-queries.ts';
import { presentLog } from './present.ts';

export const logWindowMs = 90 * 24 * 3_600_000;
const perPage = 100;
const maxPage = 1_000_000;

/**
 * The events of a group in the last 90 days, oldest first, at most 100 (contract.md#post-logs.window). The first page
 * has the newest events. The response shows whether there are older ones.
 */
export async function listPostLogs(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  who: Who,
  postGroupId: string,
  asked?: string,
) {
  const page = clamp(asked, 1, 1, maxPage);
  const since = new Date(clock.now().getTime() - logWindowMs);
  const found = await selectLogs(db, who.userId, postGroupId, {
    since,
    limit: perPage + 1,
    newer: (page - 1) * perPage,
  });
  if (!found) throw new Problem('post_group_not_found');
  const hasNextPage = found.length > perPage;
  return {
    success: true as const,
    logs: found.slice(-perPage).map(presentLog),
    ...((hasNextPage || page > 1) && { pagination: { page, hasNextPage } }),
  };
}
