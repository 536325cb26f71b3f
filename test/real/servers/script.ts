import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CannotRun } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: each script says other things.
type Said = any;

/** A server from npm in a separate process. It communicates in lines of JSON. */
export interface ScriptServer extends AsyncDisposable {
  /** Its first line, printed once it is ready. */
  readonly ready: Said;
  /** Sends a line, and returns the next line it prints. */
  ask(line: string): Promise<Said>;
  signal(name: NodeJS.Signals): void;
}

/** Runs a script of this folder until its standard input ends. */
export async function startScript(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ScriptServer> {
  const child = spawn(process.execPath, [new URL(script, import.meta.url).pathname, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LOG_ENABLED: 'false', ...env },
  });
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const said = async () => JSON.parse((await lines.next()).value ?? 'null');
  const ready = await said();
  if (ready === null) {
    await ended;
    throw new CannotRun(/^.*Error.*$/m.exec(complaints)?.[0] ?? `${script} ended immediately`);
  }
  child.stderr.pipe(process.stderr);
  return {
    ready,
    ask(line) {
      child.stdin.write(`${line}\n`);
      return said();
    },
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
