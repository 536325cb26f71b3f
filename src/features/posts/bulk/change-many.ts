import { setImmediate } from 'node:timers/promises';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { problemBody } from '../../../foundation/http/answers/error-handler.ts';
import { once, type Retryable } from '../../../foundation/http/idempotency.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { recheckWhenSlow } from '../../auth/api-keys/live-credential.ts';
import type { PostWritingApp } from '../create/create-post.ts';
import { deletePostGroup } from '../posts.ts';
import type { StoredEdit } from '../update/edit-answer.ts';
import { findOutline } from '../update/edit-queries.ts';
import { updatePostGroup } from '../update/update-post.ts';
import type { Validation } from '../validate/validation.ts';
import type { ChangeResult, ReschedulePosts } from './schema.ts';

/** Number of posts changed concurrently. They spend most of their time waiting for the database. */
const concurrency = 4;

/**
 * Moves each post as update-post would, with the idempotency key of the request. If the client repeats the request
 * after a lost response, only posts that were not moved yet are moved.
 */
export const reschedulePosts = (
  app: PostWritingApp,
  who: Who,
  input: ReschedulePosts,
  request: Retryable | null,
  isGone: () => boolean,
) =>
  changeEach(app, who, input.postGroupIds, async (postGroupId) => {
    const { scheduledTime } = await once<StoredEdit>(
      app,
      request && ofPost(request, postGroupId),
      async (claimedKey) => {
        const group = await findOutline(app.db, who.userId, postGroupId);
        if (!group) throw new Problem('post_group_not_found');
        if (!group.scheduled_at) throw new Problem('reschedule_without_time');
        const moved = new Date(group.scheduled_at.getTime() + input.byMinutes * 60_000).toISOString();
        return updatePostGroup(app, who, postGroupId, { scheduledTime: moved }, claimedKey, isGone);
      },
    );
    return { scheduledTime };
  });

export const deletePosts = (app: PostWritingApp, who: Who, postGroupIds: readonly string[]) =>
  changeEach(app, who, postGroupIds, async (postGroupId) => {
    await deletePostGroup(app, who, postGroupId);
    return {};
  });

const ofPost = (request: Retryable, postGroupId: string): Retryable => ({
  ...request,
  resource: `${request.resource} ${postGroupId}`,
  key: `${request.key} ${postGroupId}`,
});

/** A post that cannot be changed does not affect the others. */
async function changeEach(
  app: Pick<App, 'log' | 'db' | 'clock'>,
  who: Who,
  given: readonly string[],
  change: (postGroupId: string) => Promise<{ scheduledTime?: string | null }>,
) {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  const results: ChangeResult[] = new Array(ids.length);
  const recheck = recheckWhenSlow(app, who);
  let next = 0;
  async function work() {
    while (next < ids.length) {
      const index = next;
      next += 1;
      results[index] = await attempt(ids[index]!);
      await setImmediate();
    }
  }
  async function attempt(postGroupId: string): Promise<ChangeResult> {
    try {
      await recheck(app.db);
      return { postGroupId, status: 200, ...(await change(postGroupId)) };
    } catch (error) {
      if (!(error instanceof Problem))
        app.log.error({ err: error, postGroupId }, 'one of many posts could not be changed');
      const problem = error instanceof Problem ? error : new Problem('post_update_failed');
      return { postGroupId, status: problem.status, problem: problemBody(withFewIssues(problem)) };
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  const succeeded = results.filter(({ status }) => status === 200).length;
  return { success: true as const, succeeded, failed: ids.length - succeeded, results };
}

/** The issues of 500 posts would make a long answer. The post's own call lists more. */
function withFewIssues(problem: Problem): Problem {
  const { validation } = problem.body as { validation?: Validation };
  if (!validation) return problem;
  const [errors, warnings] = [validation.errors, validation.warnings].map((issues) => issues.slice(0, listedIssues));
  return new Problem('validation_failed', { validation: { ...validation, errors, warnings } });
}

const listedIssues = 10;
