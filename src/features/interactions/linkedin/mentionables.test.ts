import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { linkedinStage } from '../../../../test/support/stages/linkedin.ts';
import { periodicTasks } from '../../../surfaces/worker.ts';

const clock = testClock();
const stage = linkedinStage({ clock });
const people = async (user: TestUser, query = '') =>
  (await user.call('GET', `/linkedin-mentionables${query}`)).body.people;
const names = async (user: TestUser, query = '') =>
  (await people(user, query)).map(({ name }: { name: string }) => name);

describe('[linkedin-mentionables] GET /linkedin-mentionables', () => {
  let ann: Awaited<ReturnType<typeof stage.aMember>>;
  beforeAll(async () => {
    const { platformId, member } = await stage.aConnection(stage.ada());
    ann = await stage.aMember('ann-lee');
    const [ben, page] = [await stage.aMember('ben-50'), await stage.aMember('company-ben-50')];
    const call = async (path: string, body: object) => {
      const { status } = await stage.ada().call('POST', path, { platformId, ...body });
      expect(status).toBe(201);
    };
    const first = await member.publish('First');
    await ann.comment(first, 'Nice');
    await page.comment(first, 'Says a page');
    await call('/linkedin-comments', { postedId: first, message: 'Thanks' });
    await eventually(async () => expect(await names(stage.ada())).toHaveLength(1));
    clock.advance({ seconds: 60 });
    const second = await member.publish('Second');
    await ben.react(second, 'PRAISE');
    await call('/linkedin-reactions', { postedId: second, reactionType: 'LIKE' });
    await eventually(async () => expect(await names(stage.ada())).toHaveLength(2));
  });

  test('[linkedin-mentionables.response] lists people who commented or reacted, newest first, without pages and the user', async () => {
    const { status, body } = await stage.ada().call('GET', '/linkedin-mentionables');
    const empty = { profileUrl: '', profilePicture: '' };
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        people: [
          {
            ...empty,
            personId: expect.any(String),
            name: 'Ben 50',
            source: 'reaction',
            lastSeenAt: clock.now().toISOString(),
            mention: expect.stringMatching(/^@\{urn:li:person:.+\|Ben 50\}$/),
          },
          {
            ...empty,
            personId: ann.id,
            name: 'Ann Lee',
            source: 'comment',
            lastSeenAt: new Date(clock.now().getTime() - 60_000).toISOString(),
            mention: `@{urn:li:person:${ann.id}|Ann Lee}`,
          },
        ],
      },
    ]);
  });

  test('[linkedin-mentionables.response] q is part of a name, and limit a number of people', async () => {
    expect(await names(stage.ada(), '?q=LEE')).toEqual(['Ann Lee']);
    expect(await names(stage.ada(), '?q=%25')).toEqual([]);
    expect(await names(stage.ada(), '?limit=1')).toEqual(['Ben 50']);
    expect(await names(stage.ada(), '?limit=x')).toHaveLength(2);
    expect(await names(stage.ada(), '?limit=-5')).toHaveLength(1);
  });

  test.for(['abc', '0', '101'])(
    '[linkedin-mentionables.response] limit=%s has no effect, and the answer warns of it',
    async (limit) => {
      const { status, body } = await stage.ada().call('GET', `/linkedin-mentionables?limit=${limit}`);
      expect([status, body.warnings]).toEqual([
        200,
        [{ code: 'INVALID_VALUE', field: 'limit', message: expect.stringContaining(`limit "${limit}" is not valid`) }],
      ]);
    },
  );

  test('[linkedin-mentionables.response] lists only the people of the user', async () => {
    expect(await people(await stage.service().aUser())).toEqual([]);
  });

  test('17 500 Failed to list mentionable people, on an internal error', async () => {
    const { db } = stage.service().app;
    await sql`alter table linkedin_people rename to gone`.execute(db);
    const { status, body } = await stage.ada().call('GET', '/linkedin-mentionables');
    await sql`alter table gone rename to linkedin_people`.execute(db);
    expect([status, body]).toEqual([500, { error: 'Failed to list mentionable people' }]);
  });

  test('17 403 UPGRADE_REQUIRED on Starter', async () => {
    const starter = await stage.service().aUser({ plan: 'starter' });
    const { status, body } = await starter.call('GET', '/linkedin-mentionables');
    const error = 'The mentionable-people directory is available on paid plans — upgrade to access it';
    expect([status, body]).toEqual([403, { error, code: 'UPGRADE_REQUIRED' }]);
  });

  test('[linkedin-mentionables.response] people are forgotten two days after they were last seen', async () => {
    const { app } = stage.service();
    const forget = periodicTasks(app).find(({ name }) => name === 'forget-people');
    const stored = () => app.db.selectFrom('linkedin_people').select('name').orderBy('name').execute();
    clock.advance({ seconds: 48 * 3600 - 60 });
    expect(await names(stage.ada())).toEqual(['Ben 50']);
    await forget?.run(new AbortController().signal);
    expect(await stored()).toEqual([{ name: 'Ben 50' }]);
    clock.advance({ seconds: 60 });
    expect(await names(stage.ada())).toEqual([]);
    await forget?.run(new AbortController().signal);
    expect(await stored()).toEqual([]);
  });
});
