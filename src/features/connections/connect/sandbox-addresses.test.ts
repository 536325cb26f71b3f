import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { type PlatformId, platforms } from '../../../platforms/index.ts';
import { connectSandboxAccount } from './sandbox.ts';

let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
});
afterAll(() => service.close());

interface Shown {
  platformId: string;
  profileImageUrl: string | null;
  profileUrl: string | null;
}

test.each(Object.keys(platforms) as PlatformId[])(
  '[connection.profile-urls] the avatar and the profile of a sandbox account on %s are pages of the sandbox',
  async (platform) => {
    const { app, sandbox } = service;
    const { platformId } = await connectSandboxAccount(app, sandbox.url, ada.id, { platform, handle: 'annlee' });
    const { body } = await ada.call('GET', '/platform-connections');
    const shown: Shown = body.connections.find((each: Shown) => each.platformId === platformId);
    for (const address of [shown.profileImageUrl, shown.profileUrl]) {
      if (address === null) continue;
      expect(address.startsWith(`${sandbox.url}/`), address).toBe(true);
      const response = await fetch(address);
      expect(response.status, address).toBe(200);
      await response.body?.cancel();
    }
  },
);
