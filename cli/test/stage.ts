import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { publishDue } from '../../test/support/publishing/publish-due.ts';
import type { TestUser } from '../../test/support/service/service.ts';
import { type McpStage, mcpStage } from '../../test/support/stages/mcp.ts';

export const command = fileURLToPath(new URL('../bin/crier.js', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the output, whatever its shape.
  json: any;
}

export interface RunOptions {
  /** The user whose key is used; null for no key. Default: the user of the stage. */
  user?: TestUser | null;
  input?: string;
  environment?: Record<string, string>;
}

/** The CLI as a separate process, and a service for it. */
export interface CliStage {
  readonly service: McpStage;
  readonly folder: string;
  ada: TestUser;
  /** The environment of the process, without anything of this machine's user. */
  environment(user?: TestUser | null): Record<string, string>;
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Publishes due posts until the work is done. */
  whilePublishing<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function cliStage(options: Parameters<typeof mcpStage>[0] = {}): Promise<CliStage> {
  const service = await mcpStage(options);
  const { path, remove } = await temporaryFolder();
  const stage: CliStage = {
    service,
    folder: path,
    ada: await service.aUser(),
    environment: (user = stage.ada) => ({
      PATH: process.env.PATH ?? '',
      HOME: path,
      XDG_CONFIG_HOME: `${path}/config`,
      TZ: 'UTC',
      // Tests must not open a browser.
      BROWSER: 'true',
      CRIER_URL: service.url,
      ...(user && { CRIER_KEY: user.apiKey }),
    }),
    async run(args, { user, input, environment = {} } = {}) {
      const env = { ...stage.environment(user), ...environment };
      const child = spawn(process.execPath, [command, ...args], { env, cwd: path });
      child.stdin.on('error', () => {});
      child.stdin.end(input ?? '');
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, stdout, stderr, json: args.includes('--json') ? jsonOf(stdout) : undefined };
    },
    async whilePublishing(work) {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      done.catch(() => {});
      while (!isDone) await publishDue(service.app);
      return done;
    },
    async close() {
      await service.close();
      await remove();
    },
  };
  return stage;
}

/** One line of JSON, and nothing else. */
function jsonOf(stdout: string): unknown {
  const lines = stdout.trimEnd().split('\n');
  return lines.length === 1 ? JSON.parse(lines[0]!) : lines.map((line) => JSON.parse(line));
}
