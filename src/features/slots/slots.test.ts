import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestClock, testClock } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import type { DB } from '../../foundation/db/schema.gen.ts';
import { findNextSlot } from './next-slot.ts';

/** 4 March 2027 is a Thursday. */
const start = '2027-03-04T05:06:07.000Z';
let clock: TestClock;
let service: TestService;
let ada: TestUser;
let mastodon: string;
let bluesky: string;
beforeAll(async () => {
  clock = testClock(start);
  service = await testService({ clock });
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.aUser();
  mastodon = await ada.aConnection();
  bluesky = await ada.aConnection('bluesky');
});

const slot = (weekday: number, time: string, platformId: string | null = null) => ({ weekday, time, platformId });
const set = (slots: object[], timeZone = 'UTC', user = ada) => user.call('PUT', '/posting-slots', { timeZone, slots });
const next = (query: Record<string, string> = {}) => ada.call('GET', `/next-slot?${new URLSearchParams(query)}`);
const create = (body: object = {}, user = ada) =>
  user.call('POST', '/create-post', {
    content: 'In a slot',
    platforms: [mastodon],
    scheduledTime: 'next-slot',
    ...body,
  });
const timeOf = async (body: object = {}) => (await create(body)).body.scheduledTime;

describe('posting slots', () => {
  test('there are none at first', async () => {
    expect((await ada.call('GET', '/posting-slots')).body).toEqual({ success: true, timeZone: 'UTC', slots: [] });
  });

  test('are replaced as a whole, each once and in order', async () => {
    await set([slot(2, '08:00')]);
    const wanted = [slot(5, '17:00'), slot(1, '09:30', mastodon), slot(1, '09:30'), slot(1, '09:30')];
    const { status, body } = await set(wanted, 'europe/berlin');
    const stored = {
      success: true,
      timeZone: 'Europe/Berlin',
      slots: [slot(1, '09:30'), slot(1, '09:30', mastodon), slot(5, '17:00')],
    };
    expect([status, body]).toEqual([200, stored]);
    expect((await ada.call('GET', '/posting-slots')).body).toEqual(stored);
    const ben = await service.aUser();
    expect((await ben.call('GET', '/posting-slots')).body.slots).toEqual([]);
  });

  test.for<[body: object, code: string]>([
    [{ timeZone: 'Mars', slots: [] }, 'TIME_ZONE_INVALID'],
    [{ slots: [] }, 'TIME_ZONE_INVALID'],
    [{ timeZone: 'UTC' }, 'SLOTS_INVALID'],
    [{ timeZone: 'UTC', slots: ['monday'] }, 'SLOTS_INVALID'],
    [{ timeZone: 'UTC', slots: [slot(0, '09:30')] }, 'SLOTS_INVALID'],
    [{ timeZone: 'UTC', slots: [slot(8, '09:30')] }, 'SLOTS_INVALID'],
    [{ timeZone: 'UTC', slots: [slot(1, '24:00')] }, 'SLOTS_INVALID'],
    [{ timeZone: 'UTC', slots: [slot(1, '9:30')] }, 'SLOTS_INVALID'],
    [{ timeZone: 'UTC', slots: [slot(1, '09:30', 'nonsense')] }, 'SLOTS_INVALID'],
    [{ timeZone: 'UTC', slots: [slot(1, '09:30', 'mastodon-1')] }, 'SLOT_CHANNEL_UNKNOWN'],
    [{ timeZone: 'UTC', slots: Array.from({ length: 201 }, () => slot(1, '09:30')) }, 'SLOTS_TOO_MANY'],
  ])('%j is refused', async ([body, code]) => {
    const answer = await service.server.inject({
      method: 'PUT',
      url: '/api/v1/posting-slots',
      headers: { 'x-service-key': ada.apiKey },
      payload: body,
    });
    expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
  });

  test('of a channel that was disconnected can stay', async () => {
    const slots = [slot(1, '09:30', mastodon)];
    await set(slots);
    await service.database.pool.query('delete from connections where user_id = $1', [ada.id]);
    expect((await set(slots)).status).toBe(200);
  });
});

describe('the next slot', () => {
  test('is the next one in which none of the channels has a scheduled post', async () => {
    await set([slot(4, '09:30'), slot(5, '17:00')], 'Europe/Berlin');
    expect((await next()).body).toEqual({
      success: true,
      publishAt: '2027-03-04T08:30:00.000Z',
      localTime: '2027-03-04T09:30:00+01:00',
      timeZone: 'Europe/Berlin',
    });
    expect(await timeOf()).toBe('2027-03-04T08:30:00.000Z');
    expect((await next({ platforms: mastodon })).body.publishAt).toBe('2027-03-05T16:00:00.000Z');
    expect((await next({ platforms: bluesky })).body.publishAt).toBe('2027-03-04T08:30:00.000Z');
    expect((await next({ platforms: `${bluesky},${mastodon}` })).body.publishAt).toBe('2027-03-05T16:00:00.000Z');
    expect((await next({ platforms: bluesky, after: '2027-03-05T16:00:00Z' })).body.publishAt).toBe(
      '2027-03-11T08:30:00.000Z',
    );
    expect((await next({ platforms: bluesky, after: '2020-01-01T00:00:00Z' })).body.publishAt).toBe(
      '2027-03-04T08:30:00.000Z',
    );
  });

  test('is never after the year 9999, which the API cannot write', async () => {
    await set([slot(5, '12:00')]);
    expect((await next({ after: '9999-12-30T00:00:00Z' })).body.publishAt).toBe('9999-12-31T12:00:00.000Z');
    expect((await next({ after: '9999-12-31T12:00:00Z' })).status).toBe(409);
    expect((await next({ after: '9999-12-31T23:59:59-23:59' })).status).toBe(400);
  });

  test('counts the slots of these channels and those of all', async () => {
    await set([slot(4, '09:00', bluesky), slot(4, '10:00', mastodon), slot(4, '11:00')]);
    expect((await next({ platforms: mastodon })).body.publishAt).toBe('2027-03-04T10:00:00.000Z');
    expect((await next({ platforms: bluesky })).body.publishAt).toBe('2027-03-04T09:00:00.000Z');
    expect((await next({ platforms: 'mastodon-other' })).body.publishAt).toBe('2027-03-04T11:00:00.000Z');
  });

  test('may be one in which a post was moved or deleted, or has become a draft', async () => {
    await set([slot(4, '09:00')]);
    const { body } = await create();
    const free = async () => (await next({ platforms: mastodon })).body.publishAt;
    expect(await free()).toBe('2027-03-11T09:00:00.000Z');
    await ada.call('PUT', `/update-post/${body.postGroupId}`, { scheduledTime: '2027-03-04T09:00:59Z' });
    expect(await free()).toBe('2027-03-11T09:00:00.000Z');
    await ada.call('PUT', `/update-post/${body.postGroupId}`, { status: 'draft' });
    expect(await free()).toBe('2027-03-04T09:00:00.000Z');
  });

  test('is refused with a code and a hint if there are no slots, or none that is free', async () => {
    const ask = async (method: 'GET' | 'POST', url: string, payload?: object) =>
      (
        await service.server.inject({
          method,
          url: `/api/v1${url}`,
          headers: { 'x-service-key': ada.apiKey },
          ...(payload && { payload }),
        })
      ).json();
    expect(await ask('GET', '/next-slot')).toMatchObject({
      code: 'NO_POSTING_SLOTS',
      hint: expect.stringContaining('PUT /posting-slots'),
    });
    const post = { content: 'x', platforms: [mastodon], scheduledTime: 'next-slot' };
    expect(await ask('POST', '/create-post', post)).toMatchObject({ code: 'NO_POSTING_SLOTS' });
    await set([slot(4, '09:00', bluesky)]);
    expect((await next({ platforms: mastodon })).status).toBe(404);
    expect((await next({ after: 'soon' })).status).toBe(400);
    await service.database.pool.query(
      `insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
       select substr($1, 1, 20) || lpad(to_hex(n), 4, '0'), $1, 'x', 'scheduled', timestamptz '2027-03-04 09:00Z' + n * interval '7 days', 1, 1
       from generate_series(0, 60) n`,
      [ada.id],
    );
    await service.database.pool.query(
      `insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status)
       select 'e' || substr(id, 2), id, user_id, 'bluesky', substr($2, 9), 1, 'x', 'scheduled' from post_groups where user_id = $1`,
      [ada.id, bluesky],
    );
    expect((await next({ platforms: bluesky })).body.code).toBe('NO_FREE_SLOT');
  });
});

describe('a post in the next slot', () => {
  test('is scheduled for it, by scheduledTime or publishAt, when it is created or changed', async () => {
    await set([slot(4, '09:00'), slot(5, '09:00'), slot(6, '09:00'), slot(7, '09:00')]);
    expect(await timeOf()).toBe('2027-03-04T09:00:00.000Z');
    expect(await timeOf({ scheduledTime: undefined, publishAt: 'next-slot' })).toBe('2027-03-05T09:00:00.000Z');
    const draft = await create({ scheduledTime: undefined });
    expect(draft.body.scheduledTime).toBeNull();
    const change = { status: 'scheduled', scheduledTime: 'next-slot' };
    const update = await ada.call('PUT', `/update-post/${draft.body.postGroupId}`, change);
    expect(update.body).toMatchObject({
      scheduledTime: '2027-03-06T09:00:00.000Z',
      postGroup: { status: 'scheduled', scheduledTime: '2027-03-06T09:00:00.000Z' },
    });
    // It keeps its current slot.
    const again = await ada.call('PUT', `/update-post/${draft.body.postGroupId}`, { publishAt: 'next-slot' });
    expect(again.body.scheduledTime).toBe('2027-03-06T09:00:00.000Z');
    const { body } = await ada.call('GET', `/get-post/${draft.body.postGroupId}`);
    expect(body).toMatchObject({ status: 'scheduled', scheduledTime: '2027-03-06T09:00:00.000Z' });
  });

  test('in a draft is a time that others can still take', async () => {
    await set([slot(4, '09:00')]);
    expect(await timeOf({ status: 'draft' })).toBe('2027-03-04T09:00:00.000Z');
    expect(await timeOf()).toBe('2027-03-04T09:00:00.000Z');
  });

  test.for<[body: object, code: string]>([
    [{ publishNow: true }, 'PUBLISH_NOW_CONFLICT'],
    [{ scheduledTime: undefined, publishNow: true, publishAt: 'next-slot' }, 'PUBLISH_NOW_CONFLICT'],
    [{ scheduledTime: '2027-03-09T09:00:00Z', publishAt: 'next-slot' }, 'PUBLISH_AT_CONFLICT'],
    [{ publishAt: '2027-03-09T09:00:00Z' }, 'PUBLISH_AT_INVALID'],
    [{ scheduledTime: 'next slot' }, 'SCHEDULED_TIME_INVALID'],
  ])('%j is refused', async ([body, code]) => {
    await set([slot(4, '09:00')]);
    const answer = await service.server.inject({
      method: 'POST',
      url: '/api/v1/create-post',
      headers: { 'x-service-key': ada.apiKey },
      payload: { content: 'x', platforms: [mastodon], scheduledTime: 'next-slot', ...body },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
  });

  test('is checked against the horizon of the plan', async () => {
    const ben = await service.aUser({ plan: 'starter' });
    const platforms = [await ben.aConnection()];
    await set([slot(4, '09:00')], 'UTC', ben);
    const times: string[] = [];
    for (let i = 0; i < 60; i += 1) {
      const { status, body } = await create({ platforms, content: `Post ${i}` }, ben);
      if (status !== 200) {
        expect([status, body.code]).toEqual([403, expect.stringMatching(/SCHEDULE_HORIZON_REACHED|LIMIT_REACHED/)]);
        break;
      }
      times.push(body.scheduledTime);
    }
    expect(times.length).toBeGreaterThan(0);
    expect(times.length).toBeLessThan(60);
  });

  test('of 50 that are created at the same time, each has its own', async () => {
    await set([slot(1, '09:00'), slot(3, '09:00'), slot(5, '09:00')]);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create({ content: `Post ${n}` })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const times = answers.map(({ body }) => body.scheduledTime);
    expect(new Set(times).size).toBe(50);
    const stored = await service.database.pool.query(
      'select scheduled_at from post_groups where user_id = $1 order by scheduled_at',
      [ada.id],
    );
    expect(stored.rows.map((row) => row.scheduled_at.toISOString())).toEqual(times.toSorted());
  });

  test('of posts that are created and changed at the same time, too, and a plan with limits loses none', async () => {
    const ben = await service.aUser({ plan: 'starter' });
    const platforms = [await ben.aConnection()];
    await set(
      [1, 2, 3, 4, 5, 6, 7].map((weekday) => slot(weekday, '09:00')),
      'UTC',
      ben,
    );
    const draft = await create({ platforms, content: 'Draft', scheduledTime: undefined }, ben);
    const answers = await Promise.all([
      ...[1, 2].map((n) => create({ platforms, content: `New ${n}` }, ben)),
      ben.call('PUT', `/update-post/${draft.body.postGroupId}`, { status: 'scheduled', scheduledTime: 'next-slot' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => body.scheduledTime).sort()).toEqual([
      '2027-03-04T09:00:00.000Z',
      '2027-03-05T09:00:00.000Z',
      '2027-03-06T09:00:00.000Z',
    ]);
  });

  test('that waits for others of its user takes no connection of the database from anybody else', async () => {
    await set([slot(4, '09:00')]);
    const ben = await service.aUser();
    const platforms = [await ben.aConnection()];
    const blocker = await service.database.pool.connect();
    await blocker.query('begin');
    await blocker.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`slots of ${ada.id}`]);
    const waiting = Array.from({ length: 60 }, (_, n) => create({ content: `Post ${n}` }));
    expect((await create({ platforms, scheduledTime: '2027-03-05T09:00:00Z' }, ben)).status).toBe(200);
    await blocker.query('rollback');
    blocker.release();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    // The number of Thursdays in the year that starts today.
    expect(statuses.filter((status) => status === 200)).toHaveLength(53);
  });

  test('is found in an index, however many posts there are', async () => {
    await set([slot(4, '09:00')]);
    await service.database.pool.query(
      `insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
       select substr($1, 1, 16) || lpad(to_hex(n), 8, '0'), $1, 'x', 'scheduled', timestamptz '2027-03-04 09:30Z' + n * interval '1 minute', 1, 1
       from generate_series(0, 5000) n`,
      [ada.id],
    );
    await service.database.pool.query(
      `insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status)
       select 'e' || substr(id, 2), id, user_id, 'mastodon', substr($2, 10), 1, 'x', 'scheduled'
       from post_groups where user_id = $1`,
      [ada.id, mastodon],
    );
    await service.database.pool.query('analyze post_groups, platform_posts');
    const asked: CompiledQuery[] = [];
    const { pool } = service.database;
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: (event) => void asked.push(event.query) });
    await findNextSlot(db, {
      userId: ada.id,
      ownerId: ada.id,
      platformIds: [mastodon],
      after: clock.now(),
      exceptGroupId: null,
    });
    const { sql, parameters } = asked.at(-1)!;
    const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
    const plan = JSON.stringify(rows[0]['QUERY PLAN'][0].Plan);
    expect(plan).toContain('post_groups_by_scheduled_at');
    const read = [...plan.matchAll(/"Actual Rows":\s*([\d.]+),\s*"Actual Loops":\s*(\d+)/g)].map(
      ([, a, b]) => Number(a) * Number(b),
    );
    expect(Math.max(...read)).toBeLessThanOrEqual(200);
  });

  test('can be validated and imported', async () => {
    await set([slot(4, '09:00'), slot(5, '09:00')]);
    const post = { content: 'x', platforms: [mastodon], scheduledTime: 'next-slot' };
    expect((await ada.call('POST', '/validate-post', post)).body.validation.valid).toBe(true);
    const posts = [1, 2].map((n) => ({ ...post, content: `Row ${n}`, idempotencyKey: `row ${n}` }));
    const { body } = await ada.call('POST', '/import', { posts });
    const times = body.results.map(({ response }: { response: { scheduledTime: string } }) => response.scheduledTime);
    expect(times.sort()).toEqual(['2027-03-04T09:00:00.000Z', '2027-03-05T09:00:00.000Z']);
  });
});
