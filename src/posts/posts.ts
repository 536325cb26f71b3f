import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import type { StoreAnswer } from '../http/idempotency.ts';
import { parseInstant } from '../lib/times.ts';
import { presentPostGroup } from './present.ts';
import { deleteGroup, findGroup, insertGroup } from './queries.ts';
import { acceptTime } from './scheduled-time.ts';
import { type CreatePost, splitPlatformId } from './schema.ts';

/** Stores a draft, a scheduled post, or one that is due now: the dispatcher takes it from there. One statement. */
export async function createPostGroup(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config'>,
  who: Who,
  input: CreatePost,
  storeAnswer: StoreAnswer | null = null,
) {
  const { at, warning } = timeOf(app, input);
  const group = {
    id: app.newId(),
    userId: who.userId,
    content: input.content,
    scheduledAt: at,
    targets: input.platforms.map((id) => ({ id: app.newId(), ...splitPlatformId(id)! })),
    logId: app.newId(),
    now: app.clock.now(),
  };
  const answer = {
    success: true as const,
    postGroupId: group.id,
    scheduledTime: at?.toISOString() ?? null,
    ...(warning && { warnings: [warning] }),
  };
  const { stored, missing } = await insertGroup(
    app.db,
    group,
    storeAnswer && ((onlyIf) => storeAnswer(answer, onlyIf)),
  );
  if (missing.length > 0) {
    throw new Problem('platform_connection_invalid', {
      error: `Invalid platform connection(s): ${missing.join(', ')}. Check connected accounts or call GET /platform-connections.`,
      invalidPlatforms: missing,
    });
  }
  if (!stored) throw new Problem('idempotency_superseded');
  return answer;
}

export async function getPostGroup({ db }: Pick<App, 'db'>, who: Who, postGroupId: string) {
  const found = await findGroup(db, who.userId, postGroupId);
  if (!found) throw new Problem('post_group_not_found');
  return presentPostGroup(found);
}

/** In any status, with everything that belongs to it. A run that is under way finds its claim gone and writes nothing. */
export async function deletePostGroup({ db }: Pick<App, 'db'>, who: Who, postGroupId: string) {
  if (!(await deleteGroup(db, who.userId, postGroupId))) throw new Problem('post_group_not_found');
  return { success: true as const };
}

function timeOf(app: Pick<App, 'clock' | 'config'>, { scheduledTime, publishNow, status }: CreatePost) {
  const rules = { clock: app.clock, strictPastTimes: app.config.strictPastTimes };
  if (publishNow) {
    const requested = scheduledTime ? parseInstant(scheduledTime) : null;
    const now = app.clock.now();
    if (status === 'draft' || (requested && requested > now)) throw new Problem('publish_now_conflict');
    return { at: now, warning: null };
  }
  if (!scheduledTime) return { at: null, warning: null };
  return acceptTime(scheduledTime, rules);
}
