import { expect, test } from 'vitest';
import { serve } from '../../test/support/servers/local.ts';
import { Crier } from '../src/index.ts';

test('an event arrives whole although its text has a line separator, which JSON does not escape', async () => {
  const data = { id: '1', content: 'one\u2028two\u2029three' };
  await using service = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: 1\nevent: post.failed\ndata: ${JSON.stringify(data)}\n\n`);
  });
  for await (const event of new Crier({ baseUrl: service.url, apiKey: 'sk_x' }).streamEvents()) {
    expect(event).toMatchObject({ data });
    break;
  }
});
