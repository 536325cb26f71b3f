import { expect, test } from 'vitest';
import { openBridge } from './mcp-bridge.ts';

test.for(['null', '3', '"text"', 'true'])(
  '%s is answered as an invalid request, and the bridge goes on',
  async (line) => {
    const answers: unknown[] = [];
    // Nothing listens on this port.
    const send = openBridge('http://127.0.0.1:9/mcp', null, (message) => answers.push(message));
    await send(line);
    await send('{"jsonrpc":"2.0","id":7,"method":"ping"}');
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } },
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: expect.any(String) } },
    ]);
  },
);
