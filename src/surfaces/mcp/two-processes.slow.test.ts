import { expect, test } from 'vitest';
import { testEveryTool } from '../../../test/mcp-tools.ts';
import { type McpProcesses, mcpProcesses } from '../../../test/support/processes/mcp.ts';

/** The same tests as with two instances in one process, but with two processes, one of which keeps restarting. */

let stage: McpProcesses;
let restarts = 0;

testEveryTool(
  async (options) => {
    stage = await mcpProcesses(options);
    return stage;
  },
  {
    async beforeEachTest() {
      restarts += 1;
      await stage.restart(restarts % 2);
    },
  },
);

test('a client that is at work notices nothing of a restart', async () => {
  const user = await stage.aUser();
  const client = await stage.aClient({ user });
  let isOver = false;
  const restarted = stage.restart(0).finally(() => {
    isOver = true;
  });
  let calls = 0;
  for (; !isOver; calls += 1) {
    expect((await stage.call(client, 'list_connections')).body).toEqual({ success: true, connections: [] });
  }
  await restarted;
  expect(calls).toBeGreaterThan(10);
});
