import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A clock that a test moves, for a process started with `env`: libfaketime reads the file whenever the process reads
 * the time.
 */
export async function fakeClock(file: string, libraries: string) {
  await writeFile(file, '+0');
  let ahead = 0;
  return {
    env: {
      LD_PRELOAD: join(libraries, 'faketime/libfaketime.so.1'),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Timers keep running normally.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    advance(seconds: number) {
      ahead += seconds;
      writeFileSync(file, ahead < 0 ? `${ahead}` : `+${ahead}`);
    },
  };
}
