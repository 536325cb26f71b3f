import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;
let ada: TestUser;
let target: string;

beforeAll(async () => {
  service = await testService({ clock });
  ada = await service.aUser();
  target = await ada.aConnection();
});
afterAll(() => service.close());

const create = (body: unknown, headers?: Record<string, string>) => ada.call('POST', '/create-post', body, headers);
const count = async () => Number((await service.database.pool.query('select count(*) from post_groups')).rows[0].count);

describe('[create-post] a new post', () => {
  test('without a time makes a draft', async () => {
    const { status, body } = await create({ content: 'Later, perhaps', platforms: [target] });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, postGroupId: expect.stringMatching(/^[0-9a-f]{24}$/), scheduledTime: null });
    const group = await ada.call('GET', `/get-post/${body.postGroupId}`);
    expect(group.body).toMatchObject({ status: 'draft', posts: [{ status: 'draft' }] });
  });

  test('with a future time schedules, and answers with the time as stored', async () => {
    const { body } = await create({
      content: 'Tomorrow',
      platforms: [target],
      scheduledTime: '2027-03-05T10:00:00+02:00',
    });
    expect(body).toMatchObject({ success: true, scheduledTime: '2027-03-05T08:00:00.000Z' });
    expect(body).not.toHaveProperty('warnings');
  });

  test('with a time and status draft keeps both: it waits until it is scheduled', async () => {
    const scheduledTime = '2027-03-05T10:00:00.000Z';
    const { body } = await create({ content: 'Not yet', platforms: [target], scheduledTime, status: 'draft' });
    expect(body.scheduledTime).toBe(scheduledTime);
    const group = await ada.call('GET', `/get-post/${body.postGroupId}`);
    expect(group.body).toMatchObject({ status: 'draft', scheduledTime, posts: [{ status: 'draft' }] });
  });

  test('with status scheduled and no time stays a draft, and says so', async () => {
    const { body } = await create({ content: 'When?', platforms: [target], status: 'scheduled' });
    expect(body).toMatchObject({ scheduledTime: null, warnings: [{ code: 'SCHEDULED_TIME_MISSING' }] });
    const group = await ada.call('GET', `/get-post/${body.postGroupId}`);
    expect(group.body).toMatchObject({ status: 'draft', posts: [{ status: 'draft' }] });
  });

  test('with publishNow is scheduled for server time', async () => {
    const { body } = await create({ content: 'Now', platforms: [target], publishNow: true });
    expect(body.scheduledTime).toBe('2027-03-04T05:06:07.000Z');
  });

  test('accepts platforms as a JSON string', async () => {
    const { status } = await create({ content: 'As text', platforms: JSON.stringify([target]) });
    expect(status).toBe(200);
  });

  describe('refuses, and stores nothing', () => {
    const refusals: [title: string, body: () => unknown, error: string, more?: object][] = [
      ['no content', () => ({ platforms: [target] }), 'Content is required'],
      ['empty content', () => ({ content: '', platforms: [target] }), 'Content is required'],
      ['blank content', () => ({ content: ' \n', platforms: [target] }), 'Content is required'],
      ['content that is no text', () => ({ content: 7, platforms: [target] }), 'Content is required'],
      [
        'content of over 300,000 characters',
        () => ({ content: 'x'.repeat(300_001), platforms: [target] }),
        'Content must have at most 300000 characters',
      ],
      ['an empty body', () => ({}), 'Content is required'],
      ['no platforms', () => ({ content: 'x' }), 'Platforms are required'],
      ['null platforms', () => ({ content: 'x', platforms: null }), 'Platforms are required'],
      ['an empty list of platforms', () => ({ content: 'x', platforms: [] }), 'At least one platform is required'],
      ['platforms that are no list', () => ({ content: 'x', platforms: { a: 1 } }), 'Platforms must be an array'],
      ['platforms as broken JSON', () => ({ content: 'x', platforms: '[oops' }), 'Invalid platforms JSON format'],
      [
        'a platform id without a dash',
        () => ({ content: 'x', platforms: ['mastodon'] }),
        'Invalid platform ID format: mastodon',
        { code: 'INVALID_PLATFORM_ID', field: 'platforms' },
      ],
      [
        'a platform id with a slash',
        () => ({ content: 'x', platforms: ['mastodon-a/b'] }),
        'Invalid platform ID format: mastodon-a/b',
      ],
      [
        'a platform id with a capital',
        () => ({ content: 'x', platforms: ['Mastodon-1'] }),
        'Invalid platform ID format: Mastodon-1',
      ],
      [
        'a platform twice',
        () => ({ content: 'x', platforms: [target, target] }),
        'Platforms must not contain duplicates',
      ],
      [
        'an account that is not connected',
        () => ({ content: 'x', platforms: [target, 'mastodon-1@nowhere.example'] }),
        'Invalid platform connection(s): mastodon-1@nowhere.example. Check connected accounts or call GET /platform-connections.',
        { code: 'INVALID_PLATFORM_CONNECTION', invalidPlatforms: ['mastodon-1@nowhere.example'] },
      ],
      [
        'a time without a zone',
        () => ({ content: 'x', platforms: [target], scheduledTime: '2027-05-01T10:00:00' }),
        'Invalid scheduled time format',
      ],
      [
        'a date alone',
        () => ({ content: 'x', platforms: [target], scheduledTime: '2027-05-01' }),
        'Invalid scheduled time format',
      ],
      [
        'a day that does not exist',
        () => ({ content: 'x', platforms: [target], scheduledTime: '2027-02-30T10:00:00Z' }),
        'Invalid scheduled time format',
      ],
      [
        'a time that is no text',
        () => ({ content: 'x', platforms: [target], scheduledTime: 1 }),
        'Invalid scheduled time format',
      ],
      [
        'publishNow that is no boolean',
        () => ({ content: 'x', platforms: [target], publishNow: 'yes' }),
        'publishNow must be true or false',
        { code: 'INVALID_PUBLISH_NOW' },
      ],
      [
        'publishNow with a future time',
        () => ({ content: 'x', platforms: [target], publishNow: true, scheduledTime: '2027-05-01T10:00:00Z' }),
        'publishNow cannot be combined with a future scheduledTime or with status draft',
        { code: 'PUBLISH_NOW_CONFLICT' },
      ],
      [
        'publishNow with status draft',
        () => ({ content: 'x', platforms: [target], publishNow: true, status: 'draft' }),
        'publishNow cannot be combined with a future scheduledTime or with status draft',
        { code: 'PUBLISH_NOW_CONFLICT' },
      ],
      ['a body that is not JSON', () => '{ "content": ', 'The body is not valid JSON'],
    ];
    test.each(refusals)('%s', async (_title, body, error, more = {}) => {
      const before = await count();
      const answer = await create(body());
      expect(answer).toMatchObject({ status: 400, body: { error, ...more } });
      expect(await count()).toBe(before);
    });
  });

  describe('[create-post.past-time] past times', () => {
    const at = (secondsAgo: number) => new Date(clock.now().getTime() - secondsAgo * 1000).toISOString();

    test('a time less than five minutes ago is changed to server time, with a warning', async () => {
      const requested = at(299);
      const { status, body } = await create({ content: 'A bit late', platforms: [target], scheduledTime: requested });
      expect(status).toBe(200);
      const effective = '2027-03-04T05:06:07.000Z';
      expect(body.scheduledTime).toBe(effective);
      expect(body.warnings).toEqual([
        {
          code: 'SCHEDULED_TIME_COERCED',
          message: `Requested scheduled time ${requested} was in the past and was changed to server time ${effective}.`,
          requested,
          effective,
        },
      ]);
    });

    test('a time equal to now counts as past', async () => {
      const { body } = await create({ content: 'Just now', platforms: [target], scheduledTime: at(0) });
      expect(body.warnings).toHaveLength(1);
    });

    test('a time five minutes ago is refused in strict mode', async () => {
      expect(await create({ content: 'Too late', platforms: [target], scheduledTime: at(300) })).toMatchObject({
        status: 400,
        body: {
          error: 'Scheduled time is in the past. Server time is 2027-03-04T05:06:07.000Z UTC.',
          code: 'SCHEDULED_TIME_IN_PAST',
          serverTime: '2027-03-04T05:06:07.000Z',
        },
      });
    });

    test('with STRICT_PAST_TIMES=off any past time is changed to server time', async () => {
      const lenient = await testService({ clock, environment: { STRICT_PAST_TIMES: 'off' } });
      try {
        const ben = await lenient.aUser();
        const platforms = [await ben.aConnection()];
        const { status, body } = await ben.call('POST', '/create-post', {
          content: 'x',
          platforms,
          scheduledTime: at(86_400),
        });
        expect([status, body.warnings?.[0]?.code]).toEqual([200, 'SCHEDULED_TIME_COERCED']);
      } finally {
        await lenient.close();
      }
    });
  });

  describe('[idempotency] Idempotency-Key', () => {
    test('the same key and body returns the first answer and stores nothing more', async () => {
      const body = { content: 'Once', platforms: [target] };
      const first = await create(body, { 'idempotency-key': 'key-1' });
      const before = await count();
      const again = await create({ platforms: [target], content: 'Once' }, { 'idempotency-key': 'key-1' });
      expect(again.body).toEqual(first.body);
      expect(await count()).toBe(before);
    });

    test('the same key with another body is a conflict', async () => {
      await create({ content: 'First', platforms: [target] }, { 'idempotency-key': 'key-2' });
      expect(await create({ content: 'Second', platforms: [target] }, { 'idempotency-key': 'key-2' })).toMatchObject({
        status: 422,
        body: {
          error: 'Idempotency key was already used with a different request body',
          code: 'IDEMPOTENCY_KEY_CONFLICT',
        },
      });
    });

    test('the key of a request that failed can be used again', async () => {
      const headers = { 'idempotency-key': 'key-3' };
      expect((await create({ content: 'x', platforms: ['mastodon-0@no'] }, headers)).status).toBe(400);
      expect((await create({ content: 'x', platforms: [target] }, headers)).status).toBe(200);
    });

    test('50 concurrent requests with one key have one effect and one answer', async () => {
      const before = await count();
      const body = { content: 'Together', platforms: [target] };
      const answers = await Promise.all(Array.from({ length: 50 }, () => create(body, { 'idempotency-key': 'key-4' })));
      expect(await count()).toBe(before + 1);
      const ids = new Set(answers.filter(({ status }) => status === 200).map((answer) => answer.body.postGroupId));
      expect(ids.size).toBe(1);
      const others = answers.filter(({ status }) => status !== 200);
      for (const { status, body: refusal } of others) {
        expect([status, refusal.code]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT']);
      }
    });

    test('another user may use the same key', async () => {
      const ben = await service.aUser();
      const platforms = [await ben.aConnection()];
      await create({ content: 'Mine', platforms: [target] }, { 'idempotency-key': 'key-5' });
      const { status } = await ben.call(
        'POST',
        '/create-post',
        { content: 'Mine', platforms },
        { 'idempotency-key': 'key-5' },
      );
      expect(status).toBe(200);
    });

    test.each([201, 300, 100_000])('a body nested over 200 levels deep is refused: %i', async (levels) => {
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const body = `{"content":"x","platforms":["${target}"],"extra":${deep}}`;
      expect(await create(body, { 'idempotency-key': 'key-6' })).toMatchObject({
        status: 400,
        body: { error: 'Idempotency-Key request body is too deeply nested', code: 'IDEMPOTENCY_BODY_TOO_COMPLEX' },
      });
    });
  });

  test('an account of another user is answered like one that does not exist', async () => {
    const ben = await service.aUser();
    const { status, body } = await ben.call('POST', '/create-post', { content: 'x', platforms: [target] });
    expect([status, body.code]).toEqual([400, 'INVALID_PLATFORM_CONNECTION']);
  });
});
