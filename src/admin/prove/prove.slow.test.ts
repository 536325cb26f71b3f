import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MediaService, mediaService } from '../../../test/support/media-service.ts';
import type { TestUser } from '../../../test/support/service.ts';
import type { Core } from '../../app.ts';
import { openCredentials } from '../../connections/connections.ts';
import { connectSandboxAccount } from '../../connections/sandbox.ts';
import { stringsIn } from '../../lib/redact.ts';
import { openStorage } from '../../media/storage/open-storage.ts';
import { type PlatformId, platformIds } from '../../platforms/index.ts';
import { differences } from './compare.ts';
import { prove } from './proof.ts';
import type { Transcript } from './transcript.ts';

/** A proof waits one and a half times as long for what may be in flight. */
const timeoutMs = 2_000;

let service: MediaService;
let core: Core;
let ada: TestUser;
beforeAll(async () => {
  service = await mediaService();
  const { app } = service;
  // Some networks fetch media from the service.
  const publicUrl = service.reach(app.publicUrl);
  const storage = openStorage(app.config, { publicUrl, sealingKeys: app.sealingKeys, clock: app.clock });
  core = { ...app, publicUrl, storage, platformAccess: { ...app.platformAccess, timeoutMs } };
  ada = await service.aUser();
});
afterAll(() => service.close());

async function aConnection(platform: PlatformId) {
  const handle = `proof${core.newId().slice(-8)}`;
  const { platformId } = await connectSandboxAccount(core, core.sandboxUrl!, ada.id, { platform, handle });
  return core.db
    .selectFrom('connections')
    .selectAll()
    .where('platform', '=', platform)
    .where('account_id', '=', platformId.slice(platform.length + 1))
    .executeTakeFirstOrThrow();
}

const proofOn = (connectionId: string, on = core): Promise<Transcript> =>
  prove(on, {
    userId: ada.id,
    connectionId,
    onVerdict() {},
    async pause() {
      service.advance(30);
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
  });

const outcomes = ({ verdicts }: Transcript, wanted: string) => verdicts.filter(({ outcome }) => outcome === wanted);

describe.each(platformIds)('a proof of %s in the sandbox', (platform) => {
  test('holds in all that the network offers, and loses an answer without a second post', async () => {
    const { id } = await aConnection(platform);
    const transcript = await proofOn(id);
    expect(outcomes(transcript, 'failed')).toEqual([]);
    const proven = outcomes(transcript, 'proven').map(({ check }) => check);
    expect(proven).toEqual(expect.arrayContaining(['identity', 'lost answer']));
    expect(transcript.exchanges.filter(({ isLost }) => isLost)).toHaveLength(1);
    const texts = (await service.sandbox.posts()).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

test('a transcript holds none of the secrets of the connection', async () => {
  const { id, ...row } = await aConnection('mastodon');
  const stored = {
    userId: row.user_id,
    platform: row.platform,
    accountId: row.account_id,
    credentials: row.credentials,
  };
  const secrets = stringsIn(openCredentials(core, stored)).filter((text) => text.length > 20);
  expect(secrets.length).toBeGreaterThan(0);
  const transcript = JSON.stringify(await proofOn(id));
  for (const secret of secrets) expect(transcript).not.toContain(secret);
});

describe('a comparison', () => {
  test('of two proofs of the same network shows nothing', async () => {
    const [first, second] = [
      await proofOn((await aConnection('bluesky')).id),
      await proofOn((await aConnection('bluesky')).id),
    ];
    expect(differences(first, second)).toEqual([]);
  });

  test('shows a field, a status, a call and a verdict that differ', async () => {
    const transcript = await proofOn((await aConnection('mastodon')).id);
    const other = structuredClone({ ...transcript, mode: 'live' as const });
    const [published] = other.exchanges.filter(({ check, method }) => check === 'text' && method === 'POST');
    Object.assign(published!.response!.body as object, { newField: 1 });
    const [upload] = other.exchanges.filter(({ check, method }) => check === 'picture' && method === 'POST');
    upload!.response!.status = 202;
    const read = other.exchanges.find(({ check }) => check === 'statistics')!;
    read.url = read.url.replace('/api/v1/', '/api/v9/');
    other.verdicts.find(({ check }) => check === 'comment')!.outcome = 'failed';
    expect(differences(other, transcript)).toEqual([
      'text: POST /api/v1/statuses: "newField" is in the answer of the network only',
      expect.stringMatching(/^picture: POST \/api\/v2\/media: the network answered 202, the sandbox 200$/),
      expect.stringMatching(/^comment: the network: failed \(.*\); the sandbox: proven/),
      expect.stringMatching(/^statistics: GET \/api\/v9\/.* was called on the network only$/),
      expect.stringMatching(/^statistics: GET \/api\/v1\/.* was called on the sandbox only$/),
    ]);
  });
});

test('a network that answers differently from its description fails the check, with its reason', async () => {
  const { id } = await aConnection('mastodon');
  await service.sandbox.fault({ kind: 'status', operation: 'publish', status: 422, times: 1 });
  const { verdicts } = await proofOn(id);
  expect(verdicts.find(({ check }) => check === 'text')).toMatchObject({ outcome: 'failed' });
});
