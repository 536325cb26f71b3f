import { Readable } from 'node:stream';
import { connectSandboxAccount } from '../../../features/connections/connect/sandbox.ts';
import { handleMaker, takenHandles } from '../../../features/connections/connect/sandbox-handles.ts';
import { withRotationLock } from '../../../features/connections/credentials/rotate-sealing-key.ts';
import { type PlatformId, platforms } from '../../../platforms/index.ts';
import { adminCommand, type Common, count, userOption } from '../command.ts';
import { UsageError } from '../error-message.ts';
import { printResult } from '../print-result.ts';
import { withSandbox } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
  networks: string;
  count: number;
}

/** A sandbox process uses one core, so more concurrent requests are not faster. */
const concurrency = 8;

export const connectSandbox = () =>
  adminCommand('connect-sandbox', {
    about: 'Connect a user to new accounts in the sandbox, without a browser.',
    example: `--user ada@example.com --networks ${Object.keys(platforms).slice(0, 2).join(',')} --count 3`,
  })
    .addOption(userOption())
    .requiredOption('--networks <names>', `all, or a comma-separated list of ${Object.keys(platforms).join(', ')}`)
    .option('--count <number>', 'new accounts per network', count(10_000), 1)
    .action(async (options: Options) => {
      const platformIds = platformsNamed(options.networks);
      await withSandbox(async (core, sandboxUrl) => {
        const { id: userId, email } = await requireUser(core, options.user);
        const newHandle = handleMaker(await takenHandles(core, sandboxUrl));
        const wanted = platformIds.flatMap((platform) => Array.from({ length: options.count }, () => platform));
        const connect = (platform: PlatformId) =>
          connectSandboxAccount(core, sandboxUrl, userId, { platform, handle: newHandle() });
        const connections = await withRotationLock(core, 'shared', () =>
          Readable.from(wanted).map(connect, { concurrency }).toArray(),
        );
        const lines = connections.map(({ platformId, handle }) => `  ${platformId}  ${handle}`);
        printResult(options, { connections }, [`${email} is connected to:`, ...lines]);
      });
    });

function platformsNamed(text: string): PlatformId[] {
  const known = Object.keys(platforms);
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const wanted = new Set(names.includes('all') ? known : names);
  const unknown = [...wanted].filter((name) => !known.includes(name));
  if (unknown.length > 0 || wanted.size === 0) {
    const what = unknown.length > 0 ? `Unknown network: ${unknown.join(', ')}.` : 'No network was given.';
    throw new UsageError(`${what} Use all, or some of ${known.join(', ')}.`);
  }
  return [...wanted] as PlatformId[];
}
