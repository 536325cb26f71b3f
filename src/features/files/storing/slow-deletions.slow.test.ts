import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { deleteFilesNow } from './orphaned-files.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('while the storage deletes files slowly, two deletions hold database connections, and others get theirs', async () => {
  const ann = await service.aUser();
  const removing = Promise.withResolvers<void>();
  let removals = 0;
  const remove = async () => {
    removals += 1;
    await removing.promise;
  };
  const app = { ...service.app, storage: { ...service.app.storage, remove } };
  const deletions = Array.from({ length: 30 }, (_, n) => deleteFilesNow(app, [`file ${n}`]));
  await setTimeout(500);
  const read = ann.call('GET', '/list-posts').then(({ status }) => status);
  expect(await Promise.race([read, setTimeout(2_000, 'late')])).toBe(200);
  expect(removals).toBe(2);
  removing.resolve();
  await Promise.all([...deletions, read]);
});
