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
        for await (const line of linesOf(process.stdin.setEncoding('utf8'))) {
          if (line.trim() === '') continue;
          // Responses may come in any order: a slow tool must not block the others.
          const sent = send(line).finally(() => pending.delete(sent));
          pending.add(sent);
        }
        await Promise.all(pending);
      }),
    );
};

/** `node:readline` also ends lines at U+2028 and U+2029, which a message can contain. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let start = '';
  for await (const text of texts) {
    const lines = text.split('\n');
    lines[0] = start + lines[0];
    start = lines.pop()!;
    yield* lines;
  }
  yield start;
}
