import { afterAll, beforeAll } from 'vitest';
import { connectables, type PlatformName, platformFor } from '../../src/platforms/index.ts';
import type { Platform, RemotePost } from '../../src/platforms/kit/index.ts';
import { openSandbox, type SandboxFault, type TestSandbox } from '../support/servers/sandbox.ts';
import { platformStage, standingClock, toTheEnd } from '../support/stages/platform.ts';
import { connectAs, refresh } from './connecting.ts';
import type { Exchange, Message } from './exchange.ts';
import { publish, type Recording, type SamplePost } from './recording.ts';
import { samplePosts, textPost } from './sample-posts.ts';
import { specialCalls } from './special-calls.ts';

/** Opens a sandbox for the tests of a describe block. `record` exercises everything the adapter can do. */
export function recorderFor(name: PlatformName): Recorder {
  const platform = platformFor(name);
  return platform ? publishingRecorder(platform) : connectingRecorder(name);
}

export interface Recorder {
  record(): Promise<Exchange[]>;
  /** Every secret that the network issued. */
  secrets(): string[];
}

/** For networks that only support connecting accounts. */
function connectingRecorder(name: PlatformName): Recorder {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox(name, { recordBodies: true });
  });
  afterAll(() => sandbox.close());
  return {
    secrets: () => sandbox.secrets(),
    async record() {
      const [grant] = await connectAs(connectables[name], sandbox);
      await refresh(connectables[name], grant!.credentials, sandbox);
      return exchangesOf(sandbox);
    },
  };
}

function publishingRecorder(platform: Platform): Recorder {
  const { now, skip } = standingClock();
  const stage = platformStage(platform, { now, recordBodies: true });

  async function record() {
    const sandbox = stage.sandbox();
    await connectAs(platform, sandbox);
    const member = await stage.aMember();
    const { credentials } = (await refresh(platform, member.credentials, sandbox)) ?? member;
    const recording = { platform, stage, member: { ...member, credentials }, skip };

    const [simplest = textPost, ...others] = await samplePosts(recording);
    const post = await publish(recording, simplest);
    for (const other of others) await publish(recording, other);
    await publishThread(recording);
    await comment(recording, post);
    await readStatistics(recording, post);
    await platform.threadPermission?.isGranted(stage.aPost(member)());
    await specialCalls(recording, post);
    await loseAnswer(recording, { ...simplest, text: 'The answer to this is lost' });
    await provokeFailures(recording, { ...simplest, text: 'This is refused' });
    await remove(recording, post);
    return exchangesOf(sandbox);
  }
  return { record, secrets: () => stage.sandbox().secrets() };
}

async function publishThread({ platform, stage, member, skip }: Recording): Promise<void> {
  const { publishThread } = platform;
  if (!publishThread) return;
  const [first, second] = ['The first part (1/2)', 'The second part (2/2)'].map((text) => stage.content(text));
  const run = stage.aPost(member);
  await toTheEnd(() => publishThread.call(platform, [first!, second!], run()), skip);
}

async function comment({ platform, stage, member }: Recording, post: RemotePost): Promise<void> {
  await platform.comment?.(post, 'The first comment', stage.aPost(member)());
}

async function readStatistics({ platform, stage, member }: Recording, post: RemotePost): Promise<void> {
  const { stats } = platform;
  if (!stats) return;
  const ctx = stage.aPost(member)();
  await stats.posts([post.id], ctx);
  if (stats.access === 'account') await stats.profile(ctx);
  else await stats.profile(member.account.id, ctx);
}

async function remove({ platform, stage, member }: Recording, { id }: RemotePost): Promise<void> {
  for (const _ of ['there', 'gone']) await platform.remove?.(id, stage.aPost(member)());
}

/** Makes the adapter look for a post on the network after a lost response. */
async function loseAnswer({ platform, stage, member, skip }: Recording, post: SamplePost): Promise<void> {
  const content = stage.content(post.text, post.settings, post.files);
  const run = stage.aPost(member);
  await stage.sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await Promise.allSettled([toTheEnd(() => platform.publish(content, run()), skip)]);
  skip(100);
  await Promise.allSettled([toTheEnd(() => platform.publish(content, run()), skip)]);
  await stage.sandbox().clearFaults();
}

const faults: readonly SandboxFault[] = [
  { kind: 'expired_token' },
  { kind: 'rate_limit', retryAfterSeconds: 60 },
  { kind: 'status', status: 400 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 503 },
];

/** Error responses have a format too. */
async function provokeFailures(recording: Recording, post: SamplePost): Promise<void> {
  const sandbox = recording.stage.sandbox();
  for (const fault of faults) {
    await sandbox.fault({ operation: 'publish', ...fault });
    await Promise.allSettled([publish(recording, post)]);
    await sandbox.clearFaults();
  }
}

/** The requests to the network and its responses, without the pages that people open. */
export async function exchangesOf(sandbox: TestSandbox): Promise<Exchange[]> {
  const logged = await sandbox.requests();
  return logged
    .filter(({ operation }) => operation !== 'page')
    .map(({ operation, host, method, path, status, request, response }) => {
      const { pathname, searchParams } = new URL(path, `https://${host}`);
      const answer = response && status !== null ? { ...response, status } : null;
      return { operation, method, host, path: pathname, query: searchParams, request: request ?? nothing, answer };
    });
}

const nothing: Message = { headers: {}, body: null };
