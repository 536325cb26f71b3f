import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consent } from '../../../test/support/browser/consent.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { connectables, platformFor } from '../../platforms/index.ts';
import { finishConnect, startConnect } from './connect/connect.ts';
import { ensureFreshCredentials } from './credentials/renew.ts';
import { findByAccount } from './queries.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock, publicUrl: 'https://crier.test' });
});
afterAll(() => service.close());

/** The app, with networks whose token responses lack these fields. */
function lacking(fields: readonly string[]) {
  const { platformAccess } = service.app;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await platformAccess.fetch(input, init);
    const text = await response.clone().text();
    if (!response.ok || !text.includes('"access_token"')) return response;
    const without = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(without);
      if (typeof value !== 'object' || value === null) return value;
      const kept = Object.entries(value).filter(([name]) => !fields.includes(name));
      return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner)]));
    };
    return new Response(JSON.stringify(without(JSON.parse(text))), response);
  };
  return { ...service.app, platformAccess: { ...platformAccess, fetch } };
}

const optional = [
  'scope',
  'expires_in',
  'token_type',
  'refresh_expires_in',
  'refresh_token_expires_in',
  'open_id',
  'user_id',
  'permissions',
  'created_at',
];
const oauth = Object.values(connectables).filter(({ connect }) => connect.kind === 'oauth');

describe.for(oauth.map(({ id }) => id))('%s', (platform) => {
  test('is connected and renewed by token answers without what RFC 6749 section 5.1 makes optional', async () => {
    const { id: userId } = await service.aUser();
    const app = lacking(optional);
    const started = await startConnect(app, { userId }, platform, {});
    if (!('url' in started)) throw new Error('There is no consent page.');
    const back = await consent(new URL(started.url), { decision: 'allow', handle: `terse${platform}` });
    const outcome = await finishConnect(app, { userId }, Object.fromEntries(back.searchParams));
    const [connected] = 'connected' in outcome ? outcome.connected : [];
    expect(connected?.platformId).toMatch(new RegExp(`^${platform}-`));

    const adapter = platformFor(platform);
    const accountId = connected!.platformId.slice(platform.length + 1);
    const stored = await findByAccount(service.app.db, userId, platform, accountId);
    if (!adapter?.connect.refresh) return;
    // Meta renews only tokens that are at least a day old.
    clock.advance({ seconds: 86_401 });
    const bare = lacking([...optional, 'refresh_token']);
    const renewed = await ensureFreshCredentials(bare, adapter, stored!, AbortSignal.timeout(10_000), 'now');
    expect(renewed.credentials).not.toBe(stored!.credentials);
  });
});
