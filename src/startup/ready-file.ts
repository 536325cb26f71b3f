import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from './seed-demo.ts';

export interface Ready {
  pid: number;
  /** The start page. */
  url: string;
  baseUrl: string;
  sandboxUrl: string | null;
  demo: Demo | null;
}

/**
 * Shows scripts that Crier is ready, and how to reach it. Only its owner can read it, because it contains an API key.
 */
export async function writeReadyFile(dataDir: string, ready: Ready) {
  const unfinished = join(dataDir, 'ready.json.new');
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600 });
  // The rename ensures that a script never reads an incomplete file.
  await rename(unfinished, join(dataDir, 'ready.json'));
}

export const removeReadyFile = (dataDir: string) => rm(join(dataDir, 'ready.json'), { force: true });
