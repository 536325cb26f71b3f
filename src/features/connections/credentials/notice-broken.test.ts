import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { type TestClock, testClock } from '../../../../test/support/service/app.ts';
import { waitingMails } from '../../../../test/support/service/queued-mail.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { connectSandboxAccount } from '../connect/sandbox.ts';
import { renewOrAnnounce } from '../tasks.ts';

let clock: TestClock;
let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  clock = testClock();
  service = await testService({ clock });
  ada = await service.aUser();
});
beforeEach(async () => {
  await service.sandbox.clearFaults();
  for (const table of ['mails', 'post_groups', 'connections']) await query(`delete from ${table}`);
});
afterAll(() => service.close());

const query = (text: string, ...values: unknown[]) => service.database.pool.query(text, values);
const mails = () => waitingMails(service.app);
const fault = (network: string, operation: string, times = 2) =>
  service.sandbox.control('POST', '/faults', { network, kind: 'expired_token', operation, times });
const hourPasses = () => renewOrAnnounce(service.app, new AbortController().signal);

let made = 0;
const connect = (platform = 'mastodon', user = ada) => {
  made += 1;
  const account = { platform, handle: `broken${made}` } as Parameters<typeof connectSandboxAccount>[3];
  return connectSandboxAccount(service.app, service.sandbox.url, user.id, account);
};
async function publish(platformId: string, user = ada) {
  const content = `Post ${process.hrtime.bigint()}`;
  await user.call('POST', '/create-post', { content, platforms: [platformId], publishNow: true });
  await publishDue(service.app);
  clock.advance({ seconds: 60 });
}

describe('a connection that is refused when a post is published', () => {
  test('is reported to its owner once, and again only after it has worked', async () => {
    const { platformId, handle } = await connect();
    const mail = {
      to: 'user1@example.com',
      kind: 'connection_broken',
      data: {
        network: 'Mastodon',
        account: handle,
        reason: expect.stringMatching(/\S/),
        link: 'http://crier.test/channels',
      },
    };
    await fault('mastodon', 'publish', 20);
    for (let count = 1; count <= 3; count += 1) await publish(platformId);
    expect(await mails()).toEqual([mail]);

    await service.sandbox.clearFaults();
    await publish(platformId);
    expect(await mails()).toEqual([mail]);
    await fault('mastodon', 'publish', 20);
    await publish(platformId);
    await publish(platformId);
    expect(await mails()).toEqual([mail, mail]);
  });

  test('is not reported again because its credentials were renewed without avail', async () => {
    const { platformId } = await connect('twitter');
    await fault('twitter', 'publish', 20);
    for (let count = 1; count <= 3; count += 1) await publish(platformId);
    expect(await mails()).toHaveLength(1);
  });

  test('is reported again after a reconnection', async () => {
    const { platformId, handle } = await connect();
    await fault('mastodon', 'publish', 20);
    await publish(platformId);
    const again = { platform: 'mastodon', handle } as const;
    await connectSandboxAccount(service.app, service.sandbox.url, ada.id, again);
    await publish(platformId);
    expect(await mails()).toHaveLength(2);
  });

  test('is reported once when a test of the connection finds it first', async () => {
    const { platformId } = await connect();
    await fault('mastodon', 'any', 20);
    await ada.call('POST', `/test-connection/${platformId}`);
    expect(await mails()).toHaveLength(1);
    await publish(platformId);
    expect(await mails()).toHaveLength(1);
  });

  test('is not reported after a temporary failure', async () => {
    const { platformId } = await connect();
    await service.sandbox.fault({ kind: 'status', status: 503, operation: 'publish', times: 20 });
    await publish(platformId);
    expect(await mails()).toEqual([]);
  });

  test('of a managed user is reported to the owner of the workspace, never to the managed user', async () => {
    const owner = await service.aUser();
    const managed = await service.aUser();
    await query('update users set parent_user_id = $1 where id = $2', owner.id, managed.id);
    const { platformId } = await connect('mastodon', managed);
    await fault('mastodon', 'publish');
    await publish(platformId, managed);
    const [{ email }] = (await query('select email from users where id = $1', owner.id)).rows;
    expect((await mails()).map(({ to }) => to)).toEqual([email]);
  });

  test('of an account that was closed is reported to no one', async () => {
    const eve = await service.aUser();
    const { platformId } = await connect('mastodon', eve);
    await fault('mastodon', 'publish');
    await eve.call('POST', '/create-post', { content: 'Last', platforms: [platformId], publishNow: true });
    await query('update users set is_active = false where id = $1', eve.id);
    await publishDue(service.app);
    expect(await mails()).toEqual([]);
  });
});

describe('a renewal that is refused', () => {
  const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000);

  /** An account whose credentials expire in three days and were stored long ago. */
  async function ending() {
    const { platformId } = await connect('instagram');
    const accountId = platformId.slice('instagram-'.length);
    await query(
      'update connections set expires_at = $2, updated_at = $3 where account_id = $1',
      accountId,
      inDays(3),
      inDays(-50),
    );
    return platformId;
  }

  test('is reported once, with the day on which the connection ends', async () => {
    await ending();
    const [{ expires_at: expiresAt }] = (await query(`select expires_at from connections where platform = 'instagram'`))
      .rows;
    await fault('instagram', 'token', 20);
    await hourPasses();
    clock.advance({ seconds: 3_600 });
    await hourPasses();
    expect(await mails()).toMatchObject([
      {
        to: 'user1@example.com',
        kind: 'connection_broken',
        data: {
          network: 'Instagram',
          reason: expect.stringContaining(`Posts are still published until ${expiresAt.toISOString().slice(0, 10)}.`),
        },
      },
    ]);
  });

  test('is the same breakage when a post is refused later', async () => {
    const platformId = await ending();
    await fault('instagram', 'token', 20);
    await hourPasses();
    await fault('instagram', 'any', 20);
    await ada.call('POST', `/test-connection/${platformId}`);
    const { rows } = await query('select reconnect_required_at from connections');
    expect(rows).toEqual([{ reconnect_required_at: expect.any(Date) }]);
    expect(await mails()).toHaveLength(1);
  });
});
