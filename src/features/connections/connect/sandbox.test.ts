import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { type PlatformId, platformIds, platforms } from '../../../platforms/index.ts';
import { platformClient } from '../../../platforms/kit/http/client.ts';
import { scopesIn } from '../../../platforms/kit/index.ts';
import { connectSandboxAccount } from './sandbox.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const withConsent = platformIds.filter((id) => platforms[id].connect.kind === 'oauth');

test.for(withConsent)(
  '[test-connection.permissions] connect-sandbox grants what the consent page of %s asks for',
  async (platform) => {
    const ada = await service.aUser();
    const { app, sandbox } = service;
    const handle = `${platform}scopes`;
    const { platformId } = await connectSandboxAccount(app, sandbox.url, ada.id, { platform, handle });
    const { body } = await ada.call('POST', `/test-connection/${platformId}`);
    expect([body.status, body.permissions]).toEqual(['ok', await requested(platform)]);
  },
);

async function requested(id: PlatformId): Promise<string[]> {
  const { connect } = platforms[id];
  if (connect.kind !== 'oauth') return [];
  const request = { redirectUri: 'http://127.0.0.1/', state: 's', codeChallenge: 'c', fields: {} };
  const client = platformClient(service.app.platformAccess, id, AbortSignal.timeout(10_000));
  return scopesIn((await connect.start(request, client)).url.searchParams.get('scope') ?? '');
}
