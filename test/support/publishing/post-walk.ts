import { sql } from 'kysely';
import { holdUser, releaseUser } from '../../../src/features/accounts/operator/switches.ts';
import { foldCounts } from '../../../src/features/posts/list/count-queries.ts';
import { demoteSandboxPosts } from '../../../src/features/posts/update/demote.ts';
import type { TestService } from '../service/service.ts';
import { publishDue } from './publish-due.ts';

export const foldedNow = ({ app }: TestService) => foldCounts(app.db, new AbortController().signal);

export async function aWalker(service: TestService) {
  const user = await service.aUser({ plan: 'agency' });
  const targets: string[] = [];
  for (const platform of ['mastodon', 'mastodon', 'bluesky', 'telegram'] as const)
    targets.push(await user.aConnection(platform));
  return { ...user, targets };
}
export type Walker = Awaited<ReturnType<typeof aWalker>>;

let texts = 0;
const newText = () => {
  texts += 1;
  return `Text ${texts}`;
};

export const create = (user: Walker, targets: readonly string[], more: object = {}) =>
  user.call('POST', '/create-post', { content: newText(), platforms: targets, ...more });

/**
 * Every operation that writes groups or targets. A step may be rejected because it does not fit the state of its group.
 */
export function stepsOf(service: TestService, scheduledTime: string) {
  const update = (user: Walker, id: string, change: object) => user.call('PUT', `/update-post/${id}`, change);
  const imported = (platforms: readonly string[], more: object) => {
    const content = newText();
    return { idempotencyKey: content, content, platforms, ...more };
  };
  return {
    draft: (user, targets) => create(user, targets),
    schedule: (user, targets) => create(user, targets, { scheduledTime }),
    publish: async (user, targets) => {
      await create(user, targets, { publishNow: true });
      await publishDue(service.app, `worker of ${user.id}`);
    },
    import: (user, targets) =>
      user.call('POST', '/import', { posts: [imported(targets, {}), imported(targets, { scheduledTime })] }),
    changeTargets: (user, platforms, id) => update(user, id, { platforms }),
    toDraft: (user, _targets, id) => update(user, id, { status: 'draft' }),
    toScheduled: (user, platforms, id) => update(user, id, { status: 'scheduled', scheduledTime, platforms }),
    edit: (user, _targets, id) => update(user, id, { content: `Edited ${id}` }),
    move: (user, _targets, id) => user.call('POST', '/reschedule-posts', { postGroupIds: [id], byMinutes: 10 }),
    retry: (user, _targets, id) => user.call('POST', `/retry-post/${id}`),
    delete: (user, _targets, id) => user.call('DELETE', `/delete-post/${id}`),
    deleteMany: (user, _targets, id) => user.call('POST', '/delete-posts', { postGroupIds: [id] }),
    demote: () => demoteSandboxPosts(service.app),
    hold: (user) => holdUser(service.app, user.id, { reason: null, until: null }),
    release: (user) => releaseUser(service.app, user.id),
    fold: () => foldedNow(service),
  } satisfies Record<string, (user: Walker, targets: readonly string[], id: string) => Promise<unknown>>;
}
export type StepName = keyof ReturnType<typeof stepsOf>;

/** Differences between the counts, or the platforms of groups, and the stored targets, in one snapshot. */
export async function countDifferences({ app }: TestService) {
  const { rows } = await sql`
    with counted as (
      select user_id, status, platforms, posts from post_counts
      union all
      select user_id, status, platforms, change from post_count_changes
      union all
      select user_id, status,
        array(select distinct platform collate "C" from platform_posts where post_group_id = post_groups.id order by 1), -1
      from post_groups
    )
    select user_id, status, platforms, sum(posts) as too_many from counted
    group by user_id, status, platforms having sum(posts) <> 0`.execute(app.db);
  return rows;
}
