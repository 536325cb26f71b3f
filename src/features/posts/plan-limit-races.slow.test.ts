import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import type { Answer } from '../../../test/support/service/service.ts';
import {
  create,
  created,
  gone,
  inApril,
  inMarch,
  march,
  planLimitsStage,
  remove,
  statusAndBody,
  update,
  usage,
} from '../../../test/support/stages/plan-limits.ts';
import { planKeys } from '../../config/plans.ts';

const { aUser, aWorkspace, counters, expectCountersAsStored, service, setCounter, storedGroups } = planLimitsStage();

const codes = (answers: Answer[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status, body }) => `${status}${body.code ? ` ${body.code}` : ''}`)).map(
      ([code, group]) => [code, group?.length],
    ),
  );
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('[plans] many requests at the same time', () => {
  test('50 for the last platform post of an account: one succeeds', async () => {
    const ada = await aUser('starter', 'bluesky');
    await setCounter(ada.id, march, gone, 14);
    const answers = await Promise.all(times(50, () => create(ada, ada.targets, { publishNow: true })));
    expect(codes(answers)).toEqual({ 200: 1, '403 POST_LIMIT_REACHED': 49 });
    expect(await storedGroups(ada)).toBe(1);
    expect(await usage(ada)).toEqual({ month: 15, queue: 0 });
  });

  test.each([
    ['pro', 5000],
    ['pro_legacy', 100],
    ['premium_legacy', 500],
  ] as const)('%s: 50 for the last 7 of a connection: 7 succeed', async (plan, limit) => {
    const ada = await aUser(plan, 'bluesky', 'telegram');
    const [first = '', second = ''] = ada.targets;
    await setCounter(ada.id, march, first, limit - 7);
    const answers = await Promise.all(
      times(50, (index) => create(ada, index % 2 ? [first, second] : [second, first], { scheduledTime: inMarch })),
    );
    expect(codes(answers)).toEqual({ 200: 7, '403 POST_LIMIT_REACHED': 43 });
    expect(await storedGroups(ada)).toBe(7);
    expect((await counters(ada.id)).kept).toEqual({ [`${march} ${first}`]: limit, [`${march} ${second}`]: 7 });
  });

  test('50 for 3 places in the queue: 3 succeed', async () => {
    const ada = await aUser('starter', 'bluesky');
    const answers = await Promise.all(times(50, () => create(ada, ada.targets, { scheduledTime: inMarch })));
    expect(codes(answers)).toEqual({ 200: 3, '403 SCHEDULED_POST_LIMIT_REACHED': 47 });
    expect(await usage(ada)).toEqual({ month: 3, queue: 3 });
    await expectCountersAsStored(ada.id);
  });

  test('50 of an owner and a managed user for 3 places in the queue: 3 succeed', async () => {
    const { owner, connection, asManaged } = await aWorkspace('starter');
    const answers = await Promise.all(
      times(50, (index) =>
        index % 2
          ? create(owner, owner.targets, { scheduledTime: inMarch })
          : create(owner, [connection], { scheduledTime: inMarch }, asManaged),
      ),
    );
    expect(codes(answers)).toEqual({ 200: 3, '403 SCHEDULED_POST_LIMIT_REACHED': 47 });
    await expectCountersAsStored(owner.id);
  });

  test('20 drafts scheduled at the same time for 3 places in the queue: 3 succeed', async () => {
    const ada = await aUser('starter', 'bluesky');
    const drafts = await Promise.all(times(20, () => created(ada, ada.targets)));
    const answers = await Promise.all(
      drafts.map((id) => update(ada, id, { status: 'scheduled', scheduledTime: inMarch })),
    );
    expect(codes(answers)).toEqual({ 200: 3, '403 SCHEDULED_POST_LIMIT_REACHED': 17 });
    await expectCountersAsStored(ada.id);
  });

  test('20 drafts scheduled at the same time for the last 4 of a connection: 4 succeed', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram');
    const drafts = await Promise.all(
      times(20, (index) => created(ada, index % 2 ? ada.targets : ada.targets.toReversed())),
    );
    await setCounter(ada.id, march, ada.targets[0]!, 4996);
    const answers = await Promise.all(
      drafts.map((id) => update(ada, id, { status: 'scheduled', scheduledTime: inMarch })),
    );
    expect(codes(answers)).toEqual({ 200: 4, '403 POST_LIMIT_REACHED': 16 });
    expect((await counters(ada.id)).kept).toEqual({
      [`${march} ${ada.targets[0]}`]: 5000,
      [`${march} ${ada.targets[1]}`]: 4,
    });
  });

  test('posts can be deleted while they are published, without errors on either side', async () => {
    const ada = await aUser('pro', 'mastodon', 'mastodon');
    for (let round = 0; round < 3; round += 1) {
      const ids = await Promise.all(times(12, () => created(ada, ada.targets, { publishNow: true })));
      const deletes = ids.map(async (id, index) => {
        // Spread over the time that publishing takes.
        await new Promise((resolve) => setTimeout(resolve, index * 12));
        return remove(ada, id);
      });
      const [answers] = await Promise.all([Promise.all(deletes), publishDue(service().app)]);
      expect(codes(answers)).toEqual({ 200: 12 });
    }
  });

  test('a post that is edited and deleted at the same time leaves no counters behind', async () => {
    const ada = await aUser('pro', 'bluesky', 'telegram');
    for (let round = 0; round < 15; round += 1) {
      const scheduled = await created(ada, ada.targets, { scheduledTime: inMarch });
      const draft = await created(ada, ada.targets);
      const answers = await Promise.all([
        update(ada, scheduled, { status: 'draft' }),
        remove(ada, scheduled),
        update(ada, draft, { status: 'scheduled', scheduledTime: inMarch }),
        remove(ada, draft),
      ]);
      expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([]);
      expect((await counters(ada.id)).kept).toEqual({});
    }
  });

  test.each(planKeys)(
    '%s: a storm of creates, edits and deletes leaves the counters as the posts say',
    async (plan) => {
      const ada = await aUser(plan, 'bluesky', 'telegram', 'linkedin');
      const random = dice(plan.length * 7919 + 17);
      const ids: string[] = [];
      const answers: Answer[] = [];
      const anyTargets = () => ada.targets.filter(() => random(2)).sort(() => random(3) - 1);
      const anyTime = () => (random(2) ? inMarch : inApril);
      const edits = [
        () => ({ status: 'draft' }),
        () => ({ status: 'scheduled', scheduledTime: anyTime() }),
        () => ({ platforms: anyTargets() }),
        () => ({ platforms: anyTargets(), scheduledTime: anyTime(), status: 'scheduled' }),
        () => ({ publishNow: true }),
        () => ({ content: `Edited ${random(1000)}` }),
      ];
      async function once() {
        const id = ids[random(ids.length || 1)];
        const kind = random(10);
        if (!id || kind < 4) {
          const targets = anyTargets();
          const more = [{}, { scheduledTime: anyTime() }, { scheduledTime: anyTime() }, { publishNow: true }][
            random(4)
          ]!;
          const answer = await create(ada, targets.length > 0 ? targets : ada.targets, more);
          if (answer.status === 200) ids.push(answer.body.postGroupId);
          answers.push(answer);
        } else if (kind < 8) answers.push(await update(ada, id, edits[random(edits.length)]!()));
        else answers.push(await remove(ada, id));
      }
      await Promise.all(
        times(12, async () => {
          for (let step = 0; step < 10; step += 1) await once();
        }),
      );
      const expected = [200, 400, 403, 404, 409];
      expect(answers.filter(({ status }) => !expected.includes(status)).map(statusAndBody)).toEqual([]);
      const wrong = answers.filter(({ status, body }) => status === 400 && body.code !== 'PLATFORMS_REQUIRED');
      expect(wrong.map(statusAndBody)).toEqual([]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      await expectCountersAsStored(ada.id);
      const { queue } = await usage(ada);
      const { rows } = await sql<{ count: number }>`
      select count(*)::integer from platform_posts join post_groups on post_groups.id = post_group_id
      where platform_posts.user_id = ${ada.id} and platform_posts.status = 'scheduled' and not publish_now`.execute(
        service().app.db,
      );
      expect(queue).toBe(rows[0]!.count);
      if (plan === 'starter') expect(queue).toBeLessThanOrEqual(3);
    },
  );
});

/** A seeded random generator, for reproducible results. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}
