import { setAccess as switchAccess } from '../../../features/accounts/operator/switches.ts';
import { adminCommand, type Common, onOff, userOption } from '../command.ts';
import { UsageError } from '../error-message.ts';
import { printResult } from '../print-result.ts';
import { withCore } from '../with-core.ts';
import { requireUser } from './require-user.ts';

interface Options extends Common {
  user: string;
  api?: boolean;
  mcp?: boolean;
  workspace?: boolean;
}

export const setAccess = () =>
  adminCommand('set-access', {
    about: 'Turn API access, MCP access or the workspace of a user on or off.',
    more: 'Options that you omit stay unchanged. Managed users have no more access than their owner.',
    example: '--user ada@example.com --api off --mcp off --workspace on',
  })
    .addOption(userOption())
    .addOption(onOff('--api <on|off>', 'whether API keys of the user work'))
    .addOption(onOff('--mcp <on|off>', 'whether MCP clients of the user work'))
    .addOption(onOff('--workspace <on|off>', 'whether API keys of the user can act for the users they manage'))
    .action((options: Options) => {
      const { api, mcp, workspace } = options;
      const given = Object.entries({ api, mcp, workspace }).filter(([, value]) => value !== undefined);
      if (given.length === 0)
        throw new UsageError('Choose what to change: --api, --mcp or --workspace, each on or off.');
      return withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        await switchAccess(core, id, { api, mcp, workspace });
        const said = given.map(([name, value]) => `${name} ${value ? 'on' : 'off'}`).join(', ');
        printResult(options, { userId: id, email, ...Object.fromEntries(given) }, [`${email}: ${said}.`]);
      });
    });
