import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectables, type PlatformId, platforms } from '../src/platforms/index.ts';
import { platformClient, secretsOf } from '../src/platforms/kit/http/client.ts';
import { type Platform, PlatformError, type RemotePost } from '../src/platforms/kit/index.ts';
import { NothingFound, RetryLater, stepRunner, until } from '../src/platforms/kit/steps.ts';
import { authRequest, callback } from './support/browser/sign-in.ts';
import { anImage, aVideo, type TestFile } from './support/files/media.ts';
import { secretWatch } from './support/secrets/watch.ts';
import { type Member, platformStage, toTheEnd } from './support/stages/platform.ts';

/** CPU time of the thread. One such response took seconds before responses were bounded. */
const longestBlockMs = 150;

const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
const listNames = ['data', 'items', 'elements', 'posts', 'scopes', 'service', 'media_attachments', 'errors', 'error'];
const lists = (item: string, bytes: number) => {
  const list = `[${repeated(`${item},`, bytes / listNames.length)}${item}]`;
  return `{${listNames.map((name) => `"${name}":${list}`).join()}}`;
};
const megabytes = 1_000_000;
const answers: [what: string, body: string][] = [
  ['a list of numbers', `[${repeated('1,', 9 * megabytes)}1]`],
  ['a short list of numbers', `[${repeated('1,', 250_000)}1]`],
  ['lists of numbers', lists('1', 9 * megabytes)],
  ['short lists of empty objects', lists('{}', 250_000)],
  ['as many empty objects as pass', lists('{}', 14_000)],
  ['nested arrays', repeated('[', 9 * megabytes)],
  ['nested objects', repeated('{"data":', 250_000)],
  ['fields', `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`],
  ['a long text', `{"data":"${repeated('x', 9 * megabytes)}"}`],
  ['huge numbers', lists('{"id":1e300,"exp":1e300,"expires_in":1e300,"count":1e300,"createdAt":1e300}', 20_000)],
];

/** A network that responds correctly until request `from`, and with this body from then on. */
function hostileFetch(body: string, from: number) {
  const bytes = Buffer.from(body);
  let calls = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    calls += 1;
    const isHostile = calls > from;
    const response = await globalThis.fetch(input, init);
    if (!isHostile) return response;
    await response.arrayBuffer();
    const chunks = function* () {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    };
    return new Response(ReadableStream.from(chunks()), { status: response.status, headers: { 'x-hostile': 'yes' } });
  };
  return { fetch, wasHostile: () => calls > from };
}

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * The longest CPU time for which the event loop was blocked. Everything that an adapter throws must be its own error.
 */
async function blockMsOf(work: () => Promise<unknown>): Promise<number> {
  let blockMs = 0;
  let [last, lastCpuMs] = [performance.now(), cpuMs()];
  const tick = () => {
    const [now, cpu] = [performance.now(), cpuMs()];
    blockMs = Math.max(blockMs, Math.min(now - last, cpu - lastCpuMs));
    [last, lastCpuMs] = [now, cpu];
  };
  const timer = setInterval(tick, 5);
  await work().catch((error: unknown) => {
    const isOwn = error instanceof PlatformError || error instanceof RetryLater || error instanceof NothingFound;
    if (!isOwn) throw error;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  clearInterval(timer);
  return Math.round(blockMs);
}

/** Blocking code blocks every time. Neighbours on the same cores add time only now and then. */
async function leastBlockMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > longestBlockMs; tries += 1) {
    least = Math.min(least, await blockMsOf(work));
  }
  return least;
}

// Reading its output would work in the measured thread.
beforeAll(() => secretWatch.stop());

describe.each(Object.keys(platforms) as PlatformId[])('no answer of %s blocks the event loop', (id) => {
  const platform: Platform = platforms[id];
  const { sandbox, aMember, newSteps, content } = platformStage(platform);
  let member: Member<Record<string, unknown>>;
  let posted: RemotePost;
  let files: TestFile[] = [];

  /** One run of a post, on a network with these responses. Runs with the same steps belong to the same post. */
  function aRun(fetch: typeof globalThis.fetch, steps = newSteps()) {
    const { account, credentials, secrets } = member;
    const access = { ...sandbox().access(), fetch };
    const client = platformClient(access, id, new AbortController().signal, secrets);
    return { ...client, account, credentials, postId: randomUUID(), step: stepRunner(steps.claim()), until };
  }
  const post = () => content(`Hello ${randomUUID()} https://example.com`, {}, files);

  beforeAll(async () => {
    member = await aMember();
    if (platform.limits.mediaRequired) files = platform.limits.videoRequired ? [aVideo()] : [await anImage()];
    const steps = newSteps();
    const own = post();
    posted = await toTheEnd(() => platform.publish(own, aRun(globalThis.fetch, steps)));
  });

  const { connect, stats, comment, remove, publishThread, threadPermission } = platform;
  type Fetch = typeof globalThis.fetch;
  const works: [what: string, work: (fetch: Fetch) => Promise<unknown>][] = [
    ['the test of a connection', (fetch) => platform.testConnection(aRun(fetch))],
    [
      'a post and the search for it',
      async (fetch) => {
        const [steps, own] = [newSteps(), post()];
        const isRefused = await platform.publish(own, aRun(fetch, steps)).then(
          () => false,
          (error: unknown) => error instanceof PlatformError,
        );
        if (isRefused) await platform.publish(own, aRun(fetch, steps));
      },
    ],
  ];
  if (publishThread) works.push(['a thread', (fetch) => publishThread([post(), post()], aRun(fetch))]);
  if (threadPermission) works.push(['a permission', (fetch) => threadPermission.isGranted(aRun(fetch))]);
  if (comment) works.push(['a comment', (fetch) => comment(posted, 'A comment', aRun(fetch))]);
  if (remove) works.push(['a removal', (fetch) => remove(posted.id, aRun(fetch))]);
  if (stats?.access === 'account') {
    works.push(['counts of posts', (fetch) => stats.posts([posted.id, posted.id], aRun(fetch))]);
    works.push(['counts of a profile', (fetch) => stats.profile(aRun(fetch))]);
  } else if (stats) {
    works.push(['counts of posts', (fetch) => stats.posts([posted.id], aRun(fetch))]);
    works.push(['counts of a profile', (fetch) => stats.profile(member.account.id, aRun(fetch))]);
  }
  if (connect.refresh) works.push(['a renewal', (fetch) => connect.refresh!(member.credentials, aRun(fetch))]);

  test.each(works)('%s', async (_, work) => {
    const slow: object[] = [];
    for (const [answer, body] of answers) {
      // Makes each response in turn the first hostile one, until the work finishes before it.
      for (let from = 0; ; from += 1) {
        let wasHostile = false;
        const blockMs = await leastBlockMs(async () => {
          const network = hostileFetch(body, from);
          await work(network.fetch).finally(() => {
            wasHostile = network.wasHostile();
          });
        });
        if (blockMs > longestBlockMs) slow.push({ answer, from, blockMs });
        if (!wasHostile) break;
      }
    }
    expect(slow).toEqual([]);
  });
});

describe.each(Object.entries(connectables))('no answer to a sign-in at %s blocks the event loop', (id, platform) => {
  const { connect, credentials } = platform;
  const botToken = `123456789:${'A'.repeat(35)}`;
  const fields =
    connect.kind === 'form' ? { handle: 'ann.example', appPassword: 'x', channel: '@channel', botToken } : {};
  const memo = { client_id: 'id', client_secret: 'secret', scope: 'read' };

  test.each(answers)('%s', async (_, body) => {
    const fetch: typeof globalThis.fetch = async () => new Response(body, { status: 200 });
    const applications = { [id]: { id: 'id', secret: 'secret' } };
    const access = { fetch, route: (url: URL) => url, timeoutMs: 5000, now: () => new Date(), applications };
    const client = platformClient(access, id, new AbortController().signal, secretsOf(credentials, {}));
    const sign = async () => {
      if (connect.kind === 'form') return connect.finish(connect.fields.parse(fields), client);
      const started = await connect.start({ ...authRequest, fields }, client).catch((error: unknown) => error);
      await connect.finish({ ...callback, memo }, client);
      return started;
    };
    expect(await leastBlockMs(sign)).toBeLessThanOrEqual(longestBlockMs);
  });
});
