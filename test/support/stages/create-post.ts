import { afterAll, beforeAll, expect } from 'vitest';
import type { TestClock } from '../service/app.ts';
import { type TestService, type TestUser, testService } from '../service/service.ts';

/** The service with one user, for a test file about create-post. */
export function createPostStage(clock: TestClock) {
  let service: TestService;
  let ada: TestUser;
  beforeAll(async () => {
    service = await testService({ clock });
    ada = await service.aUser();
  });
  afterAll(() => service.close());

  const create = (body: object, headers?: Record<string, string>) =>
    ada.call('POST', '/create-post', { content: `Post ${process.hrtime.bigint()}`, ...body }, headers);
  const read = async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body;
  const count = async (table: string): Promise<number> =>
    (await service.database.pool.query(`select count(*)::int from ${table}`)).rows[0].count;

  return {
    service: () => service,
    ada: () => ada,
    create,
    read,
    count,
    /** Creates a post and reads it. */
    async created(body: object) {
      const answer = await create(body);
      expect(answer).toMatchObject({ status: 200, body: { success: true } });
      return { answer: answer.body, id: answer.body.postGroupId as string, group: await read(answer.body.postGroupId) };
    },
    /** The body of a 400 response, after which no post is stored. */
    async refused(body: object) {
      const before = await count('post_groups');
      const answer = await create(body);
      expect(answer.status).toBe(400);
      expect(await count('post_groups')).toBe(before);
      return answer.body;
    },
    fromNow: (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString(),
  };
}
