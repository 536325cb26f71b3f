import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { resolveDuplicate } from './duplicate.ts';
import { PlatformError } from './failure.ts';
import { exactly } from './found.ts';
import { type PlatformAccess, platformClient } from './http/client.ts';
import { reconcilingRunner, stepRunner } from './steps.ts';

const timeoutMs = 100;

/** A server that takes most of the timeout for each response. */
function slowServer() {
  const server = { requests: 0 };
  const fetch: PlatformAccess['fetch'] = async (_url, init) => {
    server.requests += 1;
    await sleep(0.8 * timeoutMs, undefined, { signal: init?.signal ?? undefined });
    return new Response('{}');
  };
  const access = { fetch, route: (url: URL) => url, timeoutMs, now: () => new Date(), applications: {} };
  const client = platformClient(access, 'mastodon', new AbortController().signal);
  const ask = async () => (await client.fetch('https://slow.example')).text();
  const askOften = async () => {
    for (let page = 1; page <= 9; page += 1) await ask();
  };
  return { server, ask, askOften };
}

test.for([
  ['publishing', stepRunner],
  ['reconciling', reconcilingRunner],
] as const)('%s, a search that takes longer than two timeouts fails, and nothing is sent', async ([, runner]) => {
  const { server, askOften } = slowServer();
  const find = async () => {
    await askOften();
    return exactly(null);
  };
  const steps = memorySteps();
  await steps.claim().begin('post', true);
  let sent = 0;
  const send = async () => {
    sent += 1;
    return null;
  };
  const failure = await failureOf(runner(steps.claim())('post', send, { find }));
  expect(failure).toMatchObject({ kind: 'timeout', mayHaveHappened: true });
  expect([server.requests <= 3, sent, steps.open()]).toEqual([true, 0, ['post']]);
});

test('a search for the original of a refused repeat has the same limit', async () => {
  const { server, askOften } = slowServer();
  const nothing = exactly<string>(null);
  const slow = {
    find: async () => {
      await askOften();
      return nothing;
    },
    hasText: async () => {
      await askOften();
      return true;
    },
  };
  const run = { repeatSince: new Date(), adopt: async () => null };
  const refusal = new PlatformError('rejected', 'A duplicate.');
  const kinds: string[] = [];
  for (const lookup of [slow, { ...slow, find: async () => nothing }]) {
    kinds.push((await failureOf(resolveDuplicate(refusal, lookup, run, 'X'))).kind);
  }
  expect([kinds, server.requests <= 6]).toEqual([['timeout', 'timeout'], true]);
});

test('what follows a search has the whole timeout for each request again', async () => {
  const { ask } = slowServer();
  const steps = memorySteps();
  await steps.claim().begin('post', true);
  const find = async () => {
    await ask();
    return exactly<string>(null);
  };
  const effect = async () => {
    for (const _ of [1, 2, 3]) await ask();
    return 'sent';
  };
  expect(await stepRunner(steps.claim())('post', effect, { find })).toBe('sent');
});
