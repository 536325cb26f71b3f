import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aWalker,
  countDifferences,
  type StepName,
  stepsOf,
  type Walker,
} from '../../../test/support/publishing/post-walk.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ clock: testClock('2027-03-04T05:06:07.000Z') });
});
afterAll(() => service.close());

interface Step {
  name: StepName;
  user: number;
  targets: readonly number[];
  group: number;
}

test('the counts are right at every moment, whatever requests, workers and folds do at the same time', async () => {
  const users = [await aWalker(service), await aWalker(service)];
  const steps = stepsOf(service, '2027-03-05T05:06:07.000Z');
  const step = fc.record<Step>({
    name: fc.constantFrom(...(Object.keys(steps) as StepName[])),
    user: fc.nat(users.length - 1),
    targets: fc.uniqueArray(fc.nat(users[0]!.targets.length - 1), { minLength: 1 }),
    group: fc.nat(30),
  });
  const take = async ({ name, user, targets, group }: Step) => {
    const actor = users[user]!;
    const wanted = targets.map((place) => actor.targets[place]!);
    await steps[name](actor, wanted, await groupOf(actor, group));
  };
  const walks = fc.array(fc.array(step, { minLength: 10, maxLength: 10 }), { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(walks, async (atOnce) => {
      let isRunning = true;
      const running = Promise.all(
        atOnce.map(async (walk) => {
          for (const one of walk) await take(one);
        }),
      ).finally(() => {
        isRunning = false;
      });
      while (isRunning) expect(await countDifferences(service)).toEqual([]);
      await running;
      expect(await countDifferences(service)).toEqual([]);
    }),
    { numRuns: 8, endOnFailure: true },
  );
  // Every status that a post has had.
  const { rows } = await service.database.pool.query(
    'select status from post_counts union select status from post_count_changes',
  );
  expect(rows.length).toBeGreaterThanOrEqual(4);
});

async function groupOf({ id }: Walker, place: number): Promise<string> {
  const { rows } = await service.database.pool.query('select id from post_groups where user_id = $1 order by id', [id]);
  return rows.length > 0 ? rows[place % rows.length].id : '0'.repeat(24);
}
