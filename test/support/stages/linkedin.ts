import { afterAll, afterEach, beforeAll } from 'vitest';
import { connectSandboxAccount } from '../../../src/features/connections/connect/sandbox.ts';
import type { SandboxAccount, SandboxFault, SandboxPost, TestSandbox } from '../servers/sandbox.ts';
import type { TestClock } from '../service/app.ts';
import { type TestService, type TestUser, testService } from '../service/service.ts';

interface Stage {
  service: TestService;
  ada: TestUser;
}

/** The service with LinkedIn accounts for a test file, and LinkedIn faults on demand. */
export function linkedinStage(options: { clock?: TestClock; environment?: () => Record<string, string> } = {}) {
  let stage: Stage;
  beforeAll(async () => {
    const { clock, environment } = options;
    const service = await testService({ ...(clock && { clock }), ...(environment && { environment: environment() }) });
    stage = { service, ada: await service.aUser() };
  });
  afterEach(() => control('DELETE', '/faults'));
  afterAll(() => stage.service.close());

  const control: TestSandbox['control'] = (...call) => stage.service.sandbox.control(...call);

  let made = 0;

  /** A LinkedIn member without a connection, or a page if the handle starts with `company-`. */
  async function aMember(handle = `member-${++made}`) {
    const { account, credentials } = await control<SandboxAccount>('POST', '/accounts', {
      network: 'linkedin',
      handle,
    });
    const urn = `urn:li:${credentials.organizationId ? 'organization' : 'person'}:${account.id}`;
    const send = async (path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${credentials.accessToken}`,
        'linkedin-version': '202609',
        'x-restli-protocol-version': '2.0.0',
      };
      const address = `${stage.service.sandbox.url}/api.linkedin.com${path}`;
      const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response;
    };
    return {
      ...account,
      urn,
      async publish(commentary: string): Promise<string> {
        const distribution = { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] };
        const post = { author: urn, commentary, visibility: 'PUBLIC', distribution, lifecycleState: 'PUBLISHED' };
        return (await send('/rest/posts', post)).headers.get('x-restli-id') ?? '';
      },
      async comment(on: string, text: string): Promise<{ commentUrn: string; object: string }> {
        const path = `/rest/socialActions/${encodeURIComponent(on)}/comments`;
        return (await send(path, { actor: urn, object: on, message: { text } })).json() as Promise<never>;
      },
      async react(on: string, reactionType: string) {
        await send(`/rest/reactions?actor=${encodeURIComponent(urn)}`, { root: on, reactionType });
      },
    };
  }

  return {
    service: () => stage.service,
    /** A user on a plan with all features. */
    ada: () => stage.ada,
    aMember,

    /** A LinkedIn account connected by the user, and the id of the connection. */
    async aConnection(user: TestUser, handle = `member-${++made}`) {
      const { app, sandbox } = stage.service;
      const { platformId } = await connectSandboxAccount(app, sandbox.url, user.id, { platform: 'linkedin', handle });
      return { platformId, member: await aMember(handle) };
    },

    revoke: (handle: string) => control('PATCH', '/accounts', { network: 'linkedin', handle, revokeTokens: true }),
    fault: (fault: SandboxFault) => control('POST', '/faults', { network: 'linkedin', ...fault }),
    posts: () => control<SandboxPost[]>('GET', '/posts?network=linkedin'),
    requests: () => control<{ method: string; path: string }[]>('GET', '/requests?network=linkedin'),
  };
}
