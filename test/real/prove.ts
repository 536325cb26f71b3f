import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transcript, Verdict } from '../../src/surfaces/admin/prove/transcript.ts';
import type { Held } from './servers/front.ts';
import type { LiveCrier } from './servers/live-crier.ts';

interface ProveStage {
  readonly crier: LiveCrier;
  aConnection(): Promise<string>;
  /** The texts of all posts stored on the server itself. */
  storedTexts(): Promise<string[]>;
}

const checks = {
  identity: 'proven',
  text: 'proven',
  picture: 'proven',
  video: 'proven',
  thread: 'not offered',
  comment: 'proven',
  statistics: 'proven',
  'lost answer': 'proven',
};
/** The posts of a proof, in the order of their deletion. */
const posted = ['lost answer', "post's comment", 'post', 'video', 'picture', 'text'];
const options = { timeout: 300_000 };

/** For a server that deletes posts. `holdDeletion` holds the response to the next request that deletes a post. */
export function proveTest(network: string, stage: () => ProveStage & { holdDeletion(): Promise<Held> }) {
  test(`admin prove ${network} holds in everything, posts nothing twice and deletes all of it`, options, async () => {
    const firstDeletion = stage().holdDeletion();
    const { added, proof } = await startProof(network, stage());
    // The server has processed the first deletion, and the command waits for its response.
    const paused = await Promise.race([firstDeletion, proof]);
    const texts = await added();
    if ('release' in paused) paused.release();
    expect(outcomesIn(await proof)).toEqual({ ...checks, ...deletions('proven') });
    expect([texts.length, new Set(texts).size]).toEqual([posted.length - 1, posted.length - 1]);
    expect(await added()).toEqual([]);
  });
}

/**
 * For a server that does not delete posts. `reason`: its response. `isAt`: whether it has stored a post with this URL.
 */
export function proveLeavingTest(
  network: string,
  stage: () => ProveStage & { reason: RegExp; isAt(url: string): Promise<boolean> },
) {
  test(`admin prove ${network} holds in everything, posts nothing twice and says what remains`, options, async () => {
    const { reason, isAt } = stage();
    const { added, proof } = await startProof(network, stage());
    const transcript = await proof;
    expect(outcomesIn(transcript)).toEqual({ ...checks, ...deletions('not offered') });
    for (const { detail } of transcript.verdicts.slice(-posted.length)) {
      const [, why, url = ''] = /^left in place: (.+), delete it by hand: (https:.+)$/.exec(detail) ?? [];
      expect([why, await isAt(url)]).toEqual([expect.stringMatching(reason), true]);
    }
    const texts = await added();
    expect([texts.length, new Set(texts).size]).toEqual([posted.length, posted.length]);
  });
}

/**
 * Runs `npm run admin -- prove <network>`, as an operator would next to a running Crier. `added()`: the posts so far.
 */
async function startProof(network: string, { crier, aConnection, storedTexts }: ProveStage) {
  const connection = await aConnection();
  const before = await storedTexts();
  return {
    added: async () => (await storedTexts()).filter((text) => !before.includes(text)),
    proof: runProof(crier, network, connection),
  };
}

async function runProof(crier: LiveCrier, network: string, connection: string): Promise<Transcript> {
  const file = join(tmpdir(), `crier-proof-${process.pid}.json`);
  const account = ['--user', crier.email, '--connection', connection];
  const { code, stdout, stderr } = await crier.admin('prove', network, ...account, '--transcript', file, '--json');
  expect(code, stdout + stderr).toBe(0);
  const transcript: Transcript = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  const { verdicts } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
  expect(verdicts).toEqual(transcript.verdicts);
  expect([transcript.mode, transcript.exchanges.filter(({ isLost }) => isLost).length]).toEqual(['live', 1]);
  return transcript;
}

const deletions = (outcome: Verdict['outcome']) =>
  Object.fromEntries(posted.map((name) => [`delete ${name}`, outcome]));
const outcomesIn = ({ verdicts }: Transcript) =>
  Object.fromEntries(verdicts.map(({ check, outcome }) => [check, outcome]));
