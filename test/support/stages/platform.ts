import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { output, ZodObject } from 'zod';
import { platformClient, secretsOf } from '../../../src/platforms/kit/http/client.ts';
import {
  type Account,
  type Platform,
  PlatformError,
  type PostContent,
  type PublishContext,
} from '../../../src/platforms/kit/index.ts';
import { RetryLater, stepRunner, until } from '../../../src/platforms/kit/steps.ts';
import type { TestFile } from '../files/media.ts';
import { memorySteps } from '../publishing/memory-steps.ts';
import { mediaHost } from '../servers/media-host.ts';
import { openSandbox, type SandboxAccount, type SandboxSettings, type TestSandbox } from '../servers/sandbox.ts';

/** An account in the sandbox, and our credentials for it. */
export interface Member<C> {
  made: SandboxAccount['account'];
  credentials: C;
  account: Account;
  secrets: string[];
}

/** Everything that a platform's tests need: a sandbox for the file, accounts in it, and posts to publish. */
export function platformStage<S extends ZodObject, C extends ZodObject>(
  platform: Platform<S, C>,
  options: SandboxSettings = {},
) {
  let sandbox: TestSandbox;
  let host: Awaited<ReturnType<typeof mediaHost>>;
  beforeAll(async () => {
    [sandbox, host] = await Promise.all([openSandbox(platform.id, options), mediaHost()]);
  });
  afterEach(() => sandbox.clearFaults());
  afterAll(() => Promise.all([sandbox.close(), host.close()]));

  let members = 0;
  const owned = new Set<string>();
  const clock = { now: () => new Date(options.now?.() ?? Date.now()) };
  const newSteps = (more: { killAfter?: number } = {}) => memorySteps(clock, { owned, ...more });
  return {
    /** The steps of a post, by the clock of the stage. All posts of the stage belong to the same service. */
    newSteps,

    /** Available from the first test on. */
    sandbox: () => sandbox,

    async aMember(handle?: string): Promise<Member<output<C>>> {
      members += 1;
      const { account: made, credentials: given } = await sandbox.account(handle ?? `member${members}`);
      const credentials = platform.credentials.parse(given);
      const secrets = secretsOf(platform.credentials, credentials);
      const client = platformClient(sandbox.access(), platform.id, new AbortController().signal, secrets);
      const account = await platform.testConnection({ ...client, account: { ...made, traits: {} }, credentials });
      return { made, credentials, account, secrets };
    },

    /** A post for any number of runs, one after the other: each call is a run. */
    aPost({ credentials, account, secrets }: Member<output<C>>, steps = newSteps()) {
      const postId = randomUUID();
      return function run({
        signal = new AbortController().signal,
        timeoutMs = 10_000,
      } = {}): PublishContext<output<C>> {
        const client = platformClient(sandbox.access(timeoutMs), platform.id, signal, secrets);
        return { ...client, account, credentials, postId, step: stepRunner(steps.claim()), until };
      };
    },

    content: (text: string, settings: Partial<output<S>> = {}, files: TestFile[] = []): PostContent<output<S>> => ({
      text,
      media: files.map(host.media),
      thumbnail: null,
      settings: platform.settings.parse(settings),
    }),

    media: (file: TestFile) => host.media(file),

    postsOf: ({ made }: Member<unknown>) => sandbox.posts(made.handle),
  };
}

/**
 * Runs a post as the engine does: repeatedly while the network still processes its media. A stage with a movable clock
 * passes `wait`; without it, the sandbox needs some real time.
 */
export async function toTheEnd<T>(run: () => Promise<T>, wait: Wait = () => sleep(20)): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
      await wait(error.seconds);
    }
  }
}

type Wait = (seconds: number) => void | Promise<void>;

/** Does not run until it is advanced: the sandbox finishes no work in between. */
export function standingClock() {
  let ms = Date.now();
  return {
    now: () => ms,
    skip(seconds: number) {
      ms += seconds * 1000;
    },
  };
}

export async function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  const outcome = await work.then(
    (value) => new Error(`Succeeded with ${inspect(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof PlatformError) return outcome;
  throw outcome;
}

/** Searches an entire error: message, reason, stack, causes, hidden properties, JSON. */
export function expectNoSecret(failure: PlatformError, secrets: readonly string[]): void {
  const shown = `${inspect(failure, { depth: null, showHidden: true })}\n${JSON.stringify(failure)}`;
  for (const secret of secrets) expect(shown).not.toContain(secret);
}
