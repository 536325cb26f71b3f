import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type Answer, type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const tomorrow = '2027-03-05T05:06:07.000Z';
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

async function aUser() {
  const user = await service.aUser({ plan: 'pro' });
  return { ...user, targets: [await user.aConnection('bluesky'), await user.aConnection('telegram')] };
}
type User = Awaited<ReturnType<typeof aUser>>;

const create = (user: User, content: string, headers: Record<string, string> = {}) =>
  user.call('POST', '/create-post', { content, platforms: user.targets, scheduledTime: tomorrow }, headers);

/** The content of each of the user's groups, with the names of its targets in order. */
async function storedBy({ id }: TestUser): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ content: string; targets: string[] }>`
    select content, (select array_agg(platform || '-' || account_id || ' ' || content order by position)
      from platform_posts where post_group_id = post_groups.id) as targets
    from post_groups where user_id = ${id}`.execute(service.app.db);
  return Object.fromEntries(rows.map(({ content, targets }) => [content, targets]));
}

async function usedBy({ id }: TestUser): Promise<number[]> {
  const { rows } = await sql<{ used: number }>`
    select used from usage_counters where owner_id = ${id} order by connection`.execute(service.app.db);
  return rows.map(({ used }) => used);
}

/** Sends requests concurrently, and counts the transactions that stored their groups. */
async function atOnce<T>(requests: readonly (() => Promise<T>)[]): Promise<{ answers: T[]; transactions: number }> {
  const transactions = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(distinct xmin::text)::int as count from post_groups`.execute(service.app.db);
    return rows[0]!.count;
  };
  const before = await transactions();
  const answers = await Promise.all(requests.map((request) => request()));
  return { answers, transactions: (await transactions()) - before };
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe('posts that are created at the same time', () => {
  test('are stored in few transactions, each with its own targets, counters, log, event and answer', async () => {
    const users = [await aUser(), await aUser(), await aUser()];
    const wanted = Array.from({ length: 30 }, (_, place) => ({
      user: users[place % 3]!,
      content: `Together ${place}`,
    }));
    const { answers, transactions } = await atOnce(
      wanted.map(
        ({ user, content }) =>
          () =>
            create(user, content),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect(transactions).toBeLessThan(15);
    for (const user of users) {
      const own = wanted.filter((one) => one.user === user).map(({ content }) => content);
      const expected = own.map((content) => [content, user.targets.map((target) => `${target} ${content}`)]);
      expect(await storedBy(user)).toEqual(Object.fromEntries(expected));
      expect(await usedBy(user)).toEqual([10, 10]);
    }
    for (const [place, { body }] of answers.entries()) {
      const { rows } = await sql<{ kind: string }>`
        select content as kind from post_groups where id = ${body.postGroupId}
        union all select event from post_logs where post_group_id = ${body.postGroupId}
        union all select type from events where post_group_id = ${body.postGroupId}`.execute(service.app.db);
      expect(rows.map(({ kind }) => kind)).toEqual([wanted[place]!.content, 'scheduled', 'post.scheduled']);
      expect(body.scheduledTime).toBe(tomorrow);
    }
  });

  test('each get the warnings of their own texts', async () => {
    const [ada, bob] = [await aUser(), await aUser()];
    const { body: earlier } = await create(ada, 'Again');
    const { answers } = await atOnce([
      () => create(bob, 'Again'),
      () => create(ada, 'Again'),
      () => create(ada, 'Something else'),
    ]);
    const duplicates = answers.map(({ body }) =>
      (body.warnings ?? []).map((warning: { postGroupId: string }) => warning.postGroupId),
    );
    expect(duplicates).toEqual([[], [earlier.postGroupId], []]);
  });

  test('are refused one by one: only who reached the monthly limit', async () => {
    const [ada, bob] = [await aUser(), await aUser()];
    await create(ada, 'The first');
    // Start one below the plan's limit per connection.
    await sql`update usage_counters set used = ${(await monthlyLimit(ada)) - 1} where owner_id = ${ada.id}`.execute(
      service.app.db,
    );
    const { answers } = await atOnce([
      ...Array.from({ length: 4 }, (_, place) => () => create(bob, `Of Bob ${place}`)),
      ...Array.from({ length: 4 }, (_, place) => () => create(ada, `Of Ada ${place}`)),
    ]);
    expect(statuses(answers.slice(0, 4))).toEqual([200, 200, 200, 200]);
    expect(statuses(answers.slice(4)).toSorted()).toEqual([200, 403, 403, 403]);
    expect(Object.keys(await storedBy(ada))).toHaveLength(2);
    expect(Object.keys(await storedBy(bob))).toHaveLength(4);
    expect(await usedBy(bob)).toEqual([4, 4]);
  });

  test('keep their idempotency keys apart: a repeat has the first answer and no second effect', async () => {
    const user = await aUser();
    const contents = Array.from({ length: 12 }, (_, place) => `With a key ${place}`);
    const send = () =>
      atOnce(
        contents.map((content) => () => create(user, content, { 'idempotency-key': content.replaceAll(' ', '-') })),
      );
    const [first, second] = [await send(), await send()];
    expect(second.answers.map(({ body }) => body)).toEqual(first.answers.map(({ body }) => body));
    expect(second.transactions).toBe(0);
    expect(Object.keys(await storedBy(user)).toSorted()).toEqual(contents.toSorted());
    expect(await usedBy(user)).toEqual([12, 12]);
  });

  test('one whose key was taken over by another request is not stored, and the others are', async () => {
    const user = await aUser();
    // The takeover happens between claiming the key and the statement that stores the post.
    await sql`
      create function take_over() returns trigger language plpgsql as $$
        begin
          if new.key = 'lost' then new.claim_token := 'another'; end if;
          return new;
        end $$`.execute(service.app.db);
    await sql`create trigger take_over before insert on idempotency_keys for each row execute function take_over()`.execute(
      service.app.db,
    );
    const { answers } = await atOnce([
      () => create(user, 'Kept 1', { 'idempotency-key': 'kept-1' }),
      () => create(user, 'Lost', { 'idempotency-key': 'lost' }),
      () => create(user, 'Kept 2', { 'idempotency-key': 'kept-2' }),
    ]);
    await sql`drop function take_over cascade`.execute(service.app.db);
    expect(statuses(answers)).toEqual([200, 409, 200]);
    expect(Object.keys(await storedBy(user)).toSorted()).toEqual(['Kept 1', 'Kept 2']);
    expect(await usedBy(user)).toEqual([2, 2]);
  });
});

async function monthlyLimit(user: TestUser): Promise<number> {
  const { body } = await user.call('GET', '/account-context');
  return body.context.quotas.monthlyPosts.limit;
}
