import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../../../test/support/processes/crier.ts';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import type { SandboxPost } from '../../../../test/support/servers/sandbox.ts';
import { type MediaService, mediaService } from '../../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { type Core, routeTo } from '../../../app.ts';
import { connectSandboxAccount } from '../../../features/connections/connect/sandbox.ts';
import { openCredentials } from '../../../features/connections/credentials/stored-credentials.ts';
import { stringsIn } from '../../../foundation/lib/redact.ts';
import { openStorage } from '../../../foundation/storage/open-storage.ts';
import { type PlatformId, platformIds } from '../../../platforms/index.ts';
import { differences } from './compare.ts';
import { runProof } from './run-proof.ts';
import { type Transcript, writeTranscript } from './transcript.ts';

/** A proof waits one and a half times as long for requests that may be in flight. */
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
  const row = await core.db
    .selectFrom('connections')
    .selectAll()
    .where('platform', '=', platform)
    .where('account_id', '=', platformId.slice(platform.length + 1))
    .executeTakeFirstOrThrow();
  const place = new URLSearchParams({ network: platform, account: handle });
  const posts = () => service.sandbox.control<SandboxPost[]>('GET', `/posts?${place}`);
  return { ...row, platformId, posts };
}

const proofOn = (connectionId: string, on = core): Promise<Transcript> =>
  runProof(on, {
    userId: ada.id,
    connectionId,
    onVerdict() {},
    async pause() {
      // Short enough that a network still remembers a post after the real-time wait for requests in flight.
      service.advance(10);
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
  });

const outcomes = ({ verdicts }: Transcript, wanted: string) => verdicts.filter(({ outcome }) => outcome === wanted);
const deletions = ({ verdicts }: Transcript) => verdicts.filter(({ check }) => check.startsWith('delete '));

/** The service, with its deletion requests routed through `answer`. */
function whenDeleting(answer: (send: () => Promise<Response>) => Promise<Response>): Core {
  const { platformAccess } = core;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const send = () => platformAccess.fetch(input, init);
    return init?.method === 'DELETE' ? answer(send) : send();
  };
  return { ...core, platformAccess: { ...platformAccess, fetch } };
}

describe.each(platformIds)('a proof of %s in the sandbox', (platform) => {
  test('holds in all that the network offers, and leaves nothing there but what it says', async () => {
    const { id, posts } = await aConnection(platform);
    const transcript = await proofOn(id);
    expect(outcomes(transcript, 'failed')).toEqual([]);
    const proven = outcomes(transcript, 'proven').map(({ check }) => check);
    expect(proven).toEqual(expect.arrayContaining(['identity', 'lost answer']));
    expect(transcript.exchanges.filter(({ isLost }) => isLost)).toHaveLength(1);
    const made = deletions(transcript);
    expect(made.length).toBeGreaterThanOrEqual(2);
    const left = made.filter(({ outcome }) => outcome !== 'proven');
    for (const { detail } of left) expect(detail).toMatch(/^left in place: .+, delete it by hand: https?:/);
    // A post that was sent twice would be there unreported.
    expect(await posts()).toHaveLength(left.length);
  });
});

describe('what a proof has published', () => {
  test('is deleted with its comments and parts, what answers another post first', async () => {
    const { id, posts } = await aConnection('twitter');
    expect(deletions(await proofOn(id))).toEqual(
      ['lost answer', "post's comment", 'post', 'thread 2', 'thread 1', 'video', 'picture', 'text'].map((name) => ({
        check: `delete ${name}`,
        outcome: 'proven',
        detail: 'deleted',
      })),
    );
    expect(await posts()).toEqual([]);
  });

  test('is deleted although an answer was lost on the way', async () => {
    const { id, posts } = await aConnection('mastodon');
    let lost = 0;
    const losing = whenDeleting(async (send) => {
      const response = await send();
      lost += 1;
      if (lost === 1) throw new TypeError('fetch failed');
      return response;
    });
    const made = deletions(await proofOn(id, losing));
    expect(made.map(({ detail }) => detail)).toEqual(made.map(() => 'deleted'));
    expect(lost).toBe(made.length + 1);
    expect(await posts()).toEqual([]);
  });

  test('stays with its reason and its address if the permission is missing, which is no failure', async () => {
    const { id, posts } = await aConnection('threads');
    const made = deletions(await proofOn(id));
    expect(new Set(made.map(({ outcome }) => outcome))).toEqual(new Set(['not offered']));
    const [first] = await posts();
    const link = service.sandbox.route(new URL(first!.url)).href;
    expect(made.at(-1)!.detail).toMatch(/^left in place: .*does not have permission/);
    expect(made.at(-1)!.detail).toContain(`delete it by hand: ${link}`);
  });

  test('is said to remain if the network does not answer, which is a failure', async () => {
    const { id, posts } = await aConnection('mastodon');
    const made = deletions(
      await proofOn(
        id,
        whenDeleting(async () => new Response('', { status: 503 })),
      ),
    );
    expect(new Set(made.map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
    expect(made[0]!.detail).toMatch(/^left in place: Mastodon returned an error \(503\).*, delete it by hand: http/);
    expect(await posts()).toHaveLength(made.length);
  });
});

test('other posts of the account wait until the proof has ended', async () => {
  const { id, platformId, posts } = await aConnection('mastodon');
  const soon = new Date(core.clock.now().getTime() + 20_000).toISOString();
  const post = async (content: string, when: object) =>
    (await ada.call('POST', '/create-post', { content, platforms: [platformId], ...when })).body.postGroupId;
  const groups = [
    await post('Due before the proof', { publishNow: true }),
    await post('Due during the proof', { scheduledTime: soon }),
  ];
  const statuses = async () =>
    Promise.all(groups.map(async (group) => (await ada.call('GET', `/get-post/${group}`)).body.posts[0].status));

  const transcript = await proofOn(id);
  expect(outcomes(transcript, 'failed')).toEqual([]);
  expect(core.clock.now().getTime()).toBeGreaterThan(Date.parse(soon));
  expect(JSON.stringify(transcript)).not.toContain('the proof');
  expect(await posts()).toEqual([]);
  expect(await statuses()).toEqual(['pending', 'pending']);

  await publishDue(service.app);
  expect((await posts()).map(({ text }) => text)).toEqual(['Due before the proof', 'Due during the proof']);
  expect(await statuses()).toEqual(['published', 'published']);
});

test('a proof needs nothing of the sandbox', async () => {
  const toSandbox = routeTo(core.sandboxUrl);
  const { fetch } = core.platformAccess;
  const live: Core = {
    ...core,
    sandboxUrl: null,
    platformAccess: {
      ...core.platformAccess,
      route: (url) => url,
      fetch: (input, init) => fetch(toSandbox(new URL(input instanceof Request ? input.url : input)), init),
    },
  };
  const transcript = await proofOn((await aConnection('mastodon')).id, live);
  expect(transcript.mode).toBe('live');
  expect(outcomes(transcript, 'failed')).toEqual([]);
  expect(new Set(transcript.exchanges.map(({ url }) => new URL(url).host))).toEqual(new Set(['mastodon.social']));
  expect(differences(transcript, await proofOn((await aConnection('mastodon')).id))).toEqual([]);
});

test('a transcript holds none of the secrets of the connection', async () => {
  const row = await aConnection('mastodon');
  const stored = {
    userId: row.user_id,
    platform: row.platform,
    accountId: row.account_id,
    credentials: row.credentials,
  };
  const secrets = stringsIn(openCredentials(core, stored)).filter((text) => text.length > 20);
  expect(secrets.length).toBeGreaterThan(0);
  const transcript = JSON.stringify(await proofOn(row.id));
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
      'text: POST /api/v1/statuses: "newField" is only in the response of the network',
      expect.stringMatching(/^picture: POST \/api\/v2\/media: the network answered 202, the sandbox 200$/),
      expect.stringMatching(/^comment: the network: failed \(.*\); the sandbox: proven/),
      expect.stringMatching(/^statistics: GET \/api\/v9\/.* was called on the network only$/),
      expect.stringMatching(/^statistics: GET \/api\/v1\/.* was called on the sandbox only$/),
    ]);
  });
});

describe('the command', () => {
  const command = (...args: string[]) => runProgram(['src/admin.ts', 'prove', ...args], { DATA_DIR: service.folder });
  const fileOf = async (transcript: Transcript) => {
    const file = join(service.folder, `${core.newId()}.json`);
    await writeTranscript(file, transcript);
    return file;
  };

  test('compares a stored transcript with the sandbox, without any network', async () => {
    const transcript = { ...(await proofOn((await aConnection('instagram')).id)), mode: 'live' as const };
    const [published] = transcript.exchanges.filter(({ url }) => url.includes('/media_publish'));
    Object.assign(published!.response!.body as object, { newField: 1 });
    const replay = ['--replay', await fileOf(transcript), '--compare', 'sandbox', '--json'];
    const { code, stdout } = await command('instagram', ...replay);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!).differences).toEqual([
      expect.stringMatching(/^picture: POST .*media_publish: "newField" is only in the response of the network$/),
    ]);
    // Starts a database, and waits in real time.
  }, 400_000);

  test.for([
    [['mastodon'], 'Name the user with --user, or a transcript with --replay.'],
    [
      ['mastodon', '--replay', 'a.json'],
      'Use --compare to choose what to compare the transcript with: sandbox, or a file.',
    ],
    [
      ['mastodon', '--replay', 'none.json', '--compare', 'sandbox'],
      'The transcript none.json cannot be read (ENOENT).',
    ],
    [['mastodon', '--replay', 'package.json', '--compare', 'sandbox'], 'package.json is not a proof transcript.'],
  ] as const)('%j is refused in a sentence', async ([args, sentence]) => {
    const { code, stderr } = await command(...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(sentence);
  });

  test('says what it posts, what it deletes and what remains', async () => {
    const { stdout } = await command('--help');
    for (const words of ['Publishes test posts', 'it deletes the test posts', 'the post remains'])
      expect(stdout).toContain(words);
  });
});

test('a network that answers differently from its description fails the check, with its reason', async () => {
  const { id } = await aConnection('mastodon');
  await service.sandbox.fault({ kind: 'status', operation: 'publish', status: 422, times: 1 });
  const { verdicts } = await proofOn(id);
  expect(verdicts.find(({ check }) => check === 'text')).toMatchObject({ outcome: 'failed' });
});
