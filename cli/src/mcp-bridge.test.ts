import { expect, test } from 'vitest';
import { serve } from '../../test/support/servers/local.ts';
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

const event = (message: object) => `data: ${JSON.stringify(message)}\n\n`;
const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call"}';
const answered = { jsonrpc: '2.0', id: 7, result: {} };
const failed = (id: number) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: expect.any(String) } });
// A request of the server may have the id of one of the client.
const asked = { jsonrpc: '2.0', id: 7, method: 'ping' };

test.for<[name: string, status: number, type: string, body: string, sent: string, received: unknown[]]>([
  ['an empty 202 to a request', 202, 'text/plain', '', call, [failed(7)]],
  ['a stream without an answer', 200, 'text/event-stream', event(asked), call, [asked, failed(7)]],
  ['a stream that breaks off in its answer', 200, 'text/event-stream', 'data: {"id":7', call, [failed(7)]],
  [
    'a batch with one answer',
    200,
    'application/json',
    JSON.stringify([answered]),
    `[${call},{"id":8,"method":"x"}]`,
    [answered, failed(8)],
  ],
  ['a stream with the answer', 200, 'text/event-stream', event(answered), call, [answered]],
  ['an empty 202 to a notification', 202, 'text/plain', '', '{"jsonrpc":"2.0","method":"x"}', []],
  ['an empty 202 to an answer of the client', 202, 'text/plain', '', JSON.stringify(answered), []],
])('%s: each request gets one answer', async ([, status, type, body, sent, received]) => {
  await using service = await serve((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const answers: unknown[] = [];
  await openBridge(service.url, null, (message) => answers.push(message))(sent);
  expect(answers).toEqual(received);
});

test('a connection that is lost after the answer adds no second one', async () => {
  await using service = await serve((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(answered), () => setTimeout(() => request.socket.destroy(), 100));
  });
  const answers: unknown[] = [];
  await openBridge(service.url, null, (message) => answers.push(message))(call);
  expect(answers).toEqual([answered]);
});
