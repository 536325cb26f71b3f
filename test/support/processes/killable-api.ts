import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestService } from '../service/service.ts';
import type { ApiProcessOptions } from './api-process.ts';

const program = fileURLToPath(new URL('api-process.ts', import.meta.url));

/** A second API process of the service. `await using` kills it. */
export async function killableApi({ database, sandbox }: Pick<TestService, 'database' | 'sandbox'>) {
  const options: ApiProcessOptions = {
    databaseUrl: database.url,
    sandboxUrl: sandbox.url,
    sealingKey: '5e'.repeat(32),
  };
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [url]: string[] = await once(createInterface(child.stdout), 'line');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url: url!, kill, [Symbol.asyncDispose]: kill };
}
