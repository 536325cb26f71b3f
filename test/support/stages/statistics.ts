import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { connectSandboxAccount } from '../../../src/features/connections/connect/sandbox.ts';
import { publishDue } from '../publishing/publish-due.ts';
import type { SandboxFault, TestSandbox } from '../servers/sandbox.ts';
import { testClock } from '../service/app.ts';
import { type TestService, type TestUser, testService } from '../service/service.ts';

export type CountingVendor = 'mastodon' | 'bluesky';

/** A published post, in the form that POST /post-statistics accepts. */
export interface PublishedPost {
  platform: string;
  platformId: string;
  postedId: string;
}

/** The service, users with accounts on networks that have statistics, and a view of the requests to them. */
export function statisticsStage() {
  const clock = testClock();
  let service: TestService;
  beforeAll(async () => {
    service = await testService({ clock });
  });
  afterEach(async () => {
    await service.sandbox.clearFaults();
    await service.database.pool.query('delete from statistics_cooldowns');
  });
  afterAll(() => service.close());

  const control: TestSandbox['control'] = (...call) => service.sandbox.control(...call);
  const requests = () => control<{ network: string; path: string }[]>('GET', '/requests');

  let accounts = 0;
  let texts = 0;
  return {
    clock,
    service: () => service,

    /** Connects an account of the user: a new one, or one that another user has connected too. */
    async connect(user: TestUser, platform: CountingVendor, handle?: string) {
      accounts += 1;
      const name = handle ?? `counted${accounts}`;
      const { platformId } = await connectSandboxAccount(service.app, service.sandbox.url, user.id, {
        platform,
        handle: name,
      });
      return { platformId, handle: name };
    },

    async publish(user: TestUser, ...platforms: string[]): Promise<PublishedPost[]> {
      texts += 1;
      const { body } = await user.call('POST', '/create-post', {
        content: `Post ${texts}`,
        platforms,
        publishNow: true,
      });
      await publishDue(service.app);
      const group = await user.call('GET', `/get-post/${body.postGroupId}`);
      const posts = group.body.posts as (PublishedPost & { status: string })[];
      expect(posts.map(({ status }) => status)).toEqual(platforms.map(() => 'published'));
      return posts.map(({ platform, platformId, postedId }) => ({ platform, platformId, postedId }));
    },

    fault: (vendor: CountingVendor, fault: SandboxFault) => control('POST', '/faults', { network: vendor, ...fault }),

    changeAccount: (vendor: CountingVendor, handle: string, change: object) =>
      control('PATCH', '/accounts', { network: vendor, handle, ...change }),

    /** Calls the network directly as this account. */
    async act(vendor: CountingVendor, handle: string, call: (as: Credentials) => [url: string, init: RequestInit]) {
      const made = await control<{ credentials: Credentials }>('POST', '/accounts', { network: vendor, handle });
      const { credentials } = made;
      const [url, init] = call(credentials);
      const token = credentials.accessToken ?? credentials.accessJwt;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      expect((await fetch(service.sandbox.route(new URL(url)), { headers, ...init })).ok).toBe(true);
    },

    /** The requests to the networks during the work. */
    async asked(work: () => Promise<unknown>): Promise<string[]> {
      const before = (await requests()).length;
      await work();
      return (await requests()).slice(before).map(({ network: vendor, path }) => `${vendor} ${path.split('?')[0]}`);
    },
  };
}

/** Each network has some of these. */
interface Credentials {
  instance: string;
  accessToken?: string;
  pds: string;
  accessJwt?: string;
}
