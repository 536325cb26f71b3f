import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { storedPost } from '../database/stored-post.ts';
import { testClock } from '../service/app.ts';
import { type TestService, type TestUser, testService } from '../service/service.ts';

const daySeconds = 86_400;

/** The service with one user and two accounts, for a test file about update-post. */
export function updatePostStage() {
  const clock = testClock('2027-03-04T05:06:07.000Z');
  let service: TestService;
  let ada: TestUser;
  let first: string;
  let second: string;
  beforeAll(async () => {
    service = await testService({ clock });
    ada = await service.aUser();
    [first, second] = [await ada.aConnection(), await ada.aConnection()];
  });
  afterEach(() => service.sandbox.clearFaults());
  afterAll(() => service.close());

  const update = (id: string, body: unknown, headers?: Record<string, string>) =>
    ada.call('PUT', `/update-post/${id}`, body, headers);
  const stored = (id: string) => storedPost(service, id);
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
  let made = 0;

  /** By default, a draft for the first account. */
  async function aPost(fields: Record<string, unknown> = {}): Promise<string> {
    made += 1;
    const post = { content: `Post ${made}`, platforms: [first], ...fields };
    const { status, body } = await ada.call('POST', '/create-post', post);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.postGroupId;
  }

  return {
    clock,
    service: () => service,
    ada: () => ada,
    first: () => first,
    second: () => second,
    update,
    read: async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body,
    query: async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows,
    stored,
    inSeconds,
    aPost,
    /** The content of the last created post. */
    lastContent: () => `Post ${made}`,
    /** For the next day. */
    aScheduledPost: (fields: Record<string, unknown> = {}) =>
      aPost({ scheduledTime: inSeconds(daySeconds), ...fields }),
    /** The response to a rejected edit, which must change nothing. */
    async refused(id: string, body: unknown, expected: object) {
      const before = await stored(id);
      const answer = await update(id, body);
      expect(answer).toMatchObject(expected);
      expect(await stored(id)).toEqual(before);
      return answer.body;
    },
  };
}
