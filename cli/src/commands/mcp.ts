import { createInterface } from 'node:readline';
import type { AddCommand, Context } from '../context.ts';
import { openBridge } from '../mcp-bridge.ts';

export const addMcp: AddCommand = (program, act) => {
  program
    .command('mcp')
    .description('run an MCP server on standard input and output, for agents on this machine')
    .addHelpText('after', '\nExamples:\n  claude mcp add crier -- npx --prefix /path/to/crier crier mcp')
    .action(
      act(async ({ access }: Context) => {
        const { url, apiKey } = await access();
        const send = openBridge(`${url}/mcp`, apiKey, (message) =>
          process.stdout.write(`${JSON.stringify(message)}\n`),
        );
        const pending = new Set<Promise<void>>();
        for await (const line of createInterface({ input: process.stdin })) {
          if (line.trim() === '') continue;
          // Responses may come in any order: a slow tool must not block the others.
          const sent = send(line).finally(() => pending.delete(sent));
          pending.add(sent);
        }
        await Promise.all(pending);
      }),
    );
};
