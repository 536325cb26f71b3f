import { sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import type { PlanKey } from '../../../src/config/plans.ts';
import { setAccess } from '../../../src/features/accounts/operator/switches.ts';
import { setPlan } from '../../../src/features/accounts/operator/users.ts';
import { eventually } from '../eventually.ts';
import { testClock } from '../service/app.ts';
import { type Answer, type TestService, type TestUser, testService } from '../service/service.ts';

/** Near the end of a month, so that a week's horizon reaches into the next. */
const now = '2027-03-28T12:00:00.000Z';
export const march = '2027-03-01';
export const inMarch = '2027-03-30T08:00:00.000Z';
export const inApril = '2027-04-02T08:00:00.000Z';
/** An account that is no longer connected. Its usage still counts. */
export const gone = 'mastodon-gone@example.com';

/** Every rejection by the monthly limit of March has these fields. */
export const monthlyRefusal = {
  code: 'POST_LIMIT_REACHED',
  error: 'Post limit reached',
  metric: 'posts.platform_monthly',
  periodStart: '2027-03-01T00:00:00.000Z',
  periodEnd: '2027-04-01T00:00:00.000Z',
};

let texts = 0;
/** A create-post body with a unique text. */
export const post = (platforms: readonly string[], more: object = {}) => {
  texts += 1;
  return { content: `Text ${texts}`, platforms, ...more };
};
export const create = (
  user: TestUser,
  platforms: readonly string[],
  more: object = {},
  headers: Record<string, string> = {},
) => user.call('POST', '/create-post', post(platforms, more), headers);
export async function created(user: TestUser, platforms: readonly string[], more: object = {}): Promise<string> {
  const { status, body } = await create(user, platforms, more);
  expect([status, body]).toEqual([200, expect.objectContaining({ success: true })]);
  return body.postGroupId;
}
export const update = (user: TestUser, id: string, body: object) => user.call('PUT', `/update-post/${id}`, body);
export const remove = (user: TestUser, id: string) => user.call('DELETE', `/delete-post/${id}`);
export const statusAndBody = ({ status, body }: Answer) => [status, body];

/** The usage of a month and of the queue, as account-context reports it. */
export async function usage(user: TestUser, time = inMarch, headers: Record<string, string> = {}) {
  const { body } = await user.call('GET', `/account-context?scheduledTime=${time}`, undefined, headers);
  const { monthlyPosts, scheduledPosts } = body.context.quotas;
  return { month: monthlyPosts.used, queue: scheduledPosts.used };
}

/** The service near the end of March, for a test file about a plan limit, and its counters. */
export function planLimitsStage() {
  const clock = testClock(now);
  let service: TestService;
  beforeAll(async () => {
    service = await testService({ clock });
  });
  afterAll(() => service.close());

  /** A user with connections to these platforms. Only those to Mastodon exist in the sandbox. */
  async function aUser(plan: PlanKey, ...platforms: Parameters<TestUser['aConnection']>[0][]) {
    const user = await service.aUser({ plan });
    const targets: string[] = [];
    for (const platform of platforms) targets.push(await user.aConnection(platform));
    return { ...user, targets };
  }

  /** The non-zero counters, as `<month> <connection>`: the stored ones, and the sums of the stored targets. */
  async function counters(ownerId: string) {
    const { rows } = await sql<{ kept: object; counted: object }>`
      select
        (select coalesce(json_object_agg(period || ' ' || connection, used), '{}') from usage_counters
          where owner_id = ${ownerId} and used > 0) as kept,
        (select coalesce(json_object_agg(name, used), '{}') from (
          select reserved_period || ' ' || platform || '-' || account_id as name, count(*) as used from platform_posts
          where reserved_owner_id = ${ownerId} group by 1
        ) rows) as counted`.execute(service.app.db);
    return rows[0]!;
  }

  return {
    service: () => service,
    clock,
    aUser,

    async aWorkspace(plan: PlanKey) {
      const owner = await aUser(plan, 'bluesky');
      await setAccess(service.app, owner.id, { workspace: true });
      const { body } = await eventually(async () => {
        const answer = await owner.call('POST', '/workspace/users', { username: `of-${owner.id}@example.com` });
        expect(answer.status).toBe(201);
        return answer;
      });
      const managedId: string = body.user._id;
      const connection = `telegram-of${managedId}`;
      await sql`insert into connections (id, user_id, platform, account_id, handle, display_name, credentials)
        values (${service.app.newId()}, ${managedId}, 'telegram', ${`of${managedId}`}, 'h', 'd', 'none')`.execute(
        service.app.db,
      );
      return { owner, managedId, connection, asManaged: { 'x-service-user-id': managedId } };
    },

    /** Waits until this process has been notified of the change. */
    async changePlan(user: TestUser, plan: PlanKey, connections?: number) {
      await setPlan(service.app, { user: user.id, plan, ...(connections && { connections }) });
      await eventually(async () => {
        const { body } = await user.call('GET', '/account-context');
        expect(body.context.plan.key).toBe(plan);
        expect(body.context.quotas.connections.limit).toBe(connections ?? (plan === 'starter' ? 3 : null));
      });
    },

    setCounter: (ownerId: string, period: string, connection: string, used: number) =>
      sql`insert into usage_counters (owner_id, period, connection, used)
        values (${ownerId}, ${period}, ${connection}, ${used})
        on conflict (owner_id, period, connection) do update set used = excluded.used`.execute(service.app.db),

    counters,

    async expectCountersAsStored(ownerId: string) {
      const { kept, counted } = await counters(ownerId);
      expect(kept).toEqual(counted);
    },

    async storedGroups(user: TestUser): Promise<number> {
      const { rows } = await sql<{ count: string }>`
        select count(*) from post_groups where user_id = ${user.id}`.execute(service.app.db);
      return Number(rows[0]!.count);
    },
  };
}
