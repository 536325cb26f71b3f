import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Verdict } from '../../src/admin/prove/transcript.ts';
import type { LiveCrier } from './servers/live-crier.ts';

interface ProveStage {
  readonly crier: LiveCrier;
  aConnection(): Promise<string>;
  storedTexts(): Promise<string[]>;
}

/**
 * `npm run admin -- prove <network>`, as an operator runs it beside a running Crier. `missing`: the checks that need a service
 * which is not here, and which have to fail.
 */
export function proveTest(network: string, stage: () => ProveStage, missing: readonly string[] = []) {
  test(`admin prove ${network} holds, and sends nothing twice`, { timeout: 300_000 }, async () => {
    const { crier, aConnection, storedTexts } = stage();
    const connection = await aConnection();
    const transcript = join(tmpdir(), `crier-proof-${process.pid}.json`);
    const options = ['--user', crier.email, '--connection', connection, '--transcript', transcript, '--json'];
    const { stdout, stderr } = await crier.admin('prove', network, ...options);
    const { verdicts } = JSON.parse(stdout.trim().split('\n').at(-1) || JSON.stringify({ stderr }));
    const failed = verdicts.filter(({ outcome }: Verdict) => outcome === 'failed');
    expect(failed.filter(({ check }: Verdict) => !missing.includes(check))).toEqual([]);
    expect(failed.map(({ check }: Verdict) => check)).toEqual(missing);
    const proven = verdicts.filter(({ outcome }: Verdict) => outcome === 'proven').map(({ check }: Verdict) => check);
    expect(proven).toEqual(expect.arrayContaining(['identity', 'text', 'picture', 'comment', 'lost answer']));
    const { mode, exchanges } = JSON.parse(await readFile(transcript, 'utf8'));
    await rm(transcript);
    expect([mode, exchanges.filter(({ isLost }: { isLost: boolean }) => isLost)]).toEqual([
      'live',
      [expect.anything()],
    ]);
    const texts = await storedTexts();
    expect(new Set(texts).size).toBe(texts.length);
  });
}
