import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('createKey adds a key, whose name is plain text', async () => {
  const ada = await service.aUser();
  const { rawKey, ...key } = await createKey(service.app, { user: ada.id, name: '<b>CI</b>' });
  expect(key).toMatchObject({ id: expect.any(String), name: 'CI' });
  const { status } = await ada.call('GET', '/platform-connections', undefined, { 'x-service-key': rawKey });
  expect(status).toBe(200);
});

const keysOf = (userId: string) => listKeys(service.app, { userId, limit: 10 });

test('a prefix that two keys have revokes neither; an id revokes one', async () => {
  const [ada, eve] = [await service.aUser(), await service.aUser()];
  const prefix = ada.apiKey.split('.')[0]!;
  await service.database.pool.query('update api_keys set key_prefix = $1 where user_id = $2', [prefix, eve.id]);
  await expect(revokeKey(service.app, prefix)).rejects.toMatchObject({ key: 'api_key_ambiguous' });
  const [[first], [second]] = [await keysOf(ada.id), await keysOf(eve.id)];
  expect([first!.keyPrefix, second!.keyPrefix]).toEqual([prefix, prefix]);
  await revokeKey(service.app, second!.id);
  expect([(await keysOf(ada.id)).length, (await keysOf(eve.id)).length]).toEqual([1, 0]);
});

test('a part of a prefix, and a key that is revoked already, are not found', async () => {
  const ada = await service.aUser();
  await expect(revokeKey(service.app, ada.apiKey.slice(0, 6))).rejects.toMatchObject({ key: 'api_key_not_found' });
  await revokeKey(service.app, ada.apiKey);
  await expect(revokeKey(service.app, ada.apiKey)).rejects.toMatchObject({ key: 'api_key_not_found' });
});
