import { expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { testService } from '../../../../test/support/service/service.ts';

test('[connection.subscription] the limits of an account are read again after a day, once, and not earlier', async () => {
  const clock = testClock();
  const service = await testService({ clock });
  const ada = await service.aUser();
  const platforms = [await ada.aConnection()];
  const readings = async () =>
    (await service.sandbox.requests()).filter(({ path }) => path.includes('verify_credentials')).length;
  const publish = async (content: string) => {
    await ada.call('POST', '/create-post', { content, platforms, publishNow: true });
    await publishDue(service.app);
  };
  const before = await readings();
  await publish('On the first day');
  expect(await readings()).toBe(before);
  clock.advance({ seconds: 86_401 });
  await publish('On the second day');
  await publish('On the second day, again');
  expect(await readings()).toBe(before + 1);
  await service.close();
});
