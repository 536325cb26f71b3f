import type { AddCommand } from '../context.ts';
import { table } from '../output.ts';
import { platformOf } from '../targets.ts';

export const addConnections: AddCommand = (program, act) => {
  program
    .command('connections')
    .description('list your connected accounts')
    .addHelpText('after', '\nExamples:\n  crier connections\n  crier connections --json')
    .action(
      act(async ({ service, show, out: { paint } }) => {
        const { connections } = await (await service()).listConnections();
        const rows = connections.map((connection) => {
          const { platformId, username, connectionStatus, lastError } = connection;
          const isActive = connectionStatus === 'active';
          const state = isActive ? 'active' : 'reconnect it';
          return [
            platformOf(connection),
            username ?? '',
            [state, isActive ? paint.green : paint.red] as const,
            platformId,
            lastError?.message ?? '',
          ];
        });
        const empty = ['You have not connected any accounts yet. Connect one in the dashboard.'];
        show(
          { connections },
          rows.length > 0 ? table(['NETWORK', 'HANDLE', 'STATUS', 'ID', 'LAST ERROR'], rows, paint) : empty,
        );
      }),
    );
};
