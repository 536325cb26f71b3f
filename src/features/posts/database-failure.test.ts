import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';

let service: TestService;
let ada: TestUser;
let target: string;
let id: string;

beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
  target = await ada.aConnection();
  const { body } = await ada.call('POST', '/create-post', { content: 'Before', platforms: [target] });
  id = body.postGroupId;
  // The API key is cached, so the request fails in its own statements.
  await service.database.pool.query('alter table post_groups rename to gone');
});
afterAll(() => service.close());

type Row = [
  section: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object | undefined,
  error: string,
];
const rows: Row[] = [
  ['4.1', 'POST', '/create-post', { content: 'x', platforms: ['TARGET'] }, 'Failed to create post group'],
  ['4.2', 'PUT', '/update-post/ID', { content: 'x' }, 'Failed to update post'],
  ['4.3', 'GET', '/get-post/ID', undefined, 'Failed to fetch post group'],
  ['4.4', 'DELETE', '/delete-post/ID', undefined, 'Failed to delete post group'],
  ['4.5', 'GET', '/list-posts', undefined, 'Failed to list posts'],
  ['4.9', 'GET', '/account-context', undefined, 'Failed to read account context'],
  ['4.11', 'GET', '/post-logs/ID', undefined, 'Failed to get post logs'],
];

test.each(rows)('%s %s %s answers a database failure with its own text and no details', async (...row) => {
  const [, method, path, body, error] = row;
  const sent = body && JSON.stringify(body).replace('TARGET', target);
  const answer = await ada.call(method, path.replace('ID', id), sent);
  expect([answer.status, answer.body]).toEqual([500, { error }]);
});
