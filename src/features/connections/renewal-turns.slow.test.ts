import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { type TestUser, testService } from '../../../test/support/service/service.ts';
import { connectSandboxAccount } from './connect/sandbox.ts';
import { renewOrAnnounce } from './tasks.ts';

test('credentials of one owner at a slow network do not delay the renewal of those of another', async () => {
  const service = await testService();
  onTestFinished(() => service.close());
  const { app, sandbox, database } = service;
  const [slow, other] = [await service.aUser(), await service.aUser()];
  const connect = ({ id }: TestUser, platform: 'linkedin' | 'twitter', handle: string) =>
    connectSandboxAccount(app, sandbox.url, id, { platform, handle });
  for (const handle of ['one', 'two', 'three']) await connect(slow, 'linkedin', handle);
  await connect(other, 'twitter', 'other');
  // The credentials of the slow network expire first.
  await database.pool.query(
    `update connections set updated_at = now() - interval '50 days', expires_at = now() + case platform
      when 'linkedin' then interval '4 days' else interval '5 days' end`,
  );
  await sandbox.control('POST', '/faults', {
    network: 'linkedin',
    operation: 'token',
    kind: 'latency',
    latencyMs: 15_000,
    times: 2,
  });
  const renewed = async (user: TestUser) =>
    (
      await database.pool.query(
        `select from connections where user_id = $1 and updated_at > now() - interval '1 day'`,
        [user.id],
      )
    ).rowCount;

  const run = renewOrAnnounce(app, new AbortController().signal);
  await eventually(async () => expect(await renewed(other)).toBe(1));
  expect(await renewed(slow)).toBe(0);
  await run;
  expect(await renewed(slow)).toBe(3);
});
