import { expect, test } from 'vitest';
import { serve } from '../../test/support/servers/local.ts';
import { Api } from '../src/api.gen.ts';
import { EventSequence } from '../src/events.ts';
import { Crier, CrierError } from '../src/index.ts';

const operations = Object.getOwnPropertyNames(Api.prototype).filter((name) => name !== 'constructor');
type Method = (input: object) => PromiseLike<unknown> | EventSequence<unknown>;

async function use(crier: Crier, name: string) {
  const result = (crier as unknown as Record<string, Method>)[name]!({});
  if (!(result instanceof EventSequence)) return result;
  for await (const event of result) return event;
}

test.each(['text/html; charset=utf-8', 'text/plain', undefined])(
  'an answer with status 200 and the type %s is no success of any operation or stream',
  async (type) => {
    await using proxy = await serve((request, response) => {
      request.resume();
      if (type) response.setHeader('content-type', type);
      response.end('<!doctype html><title>Sign in</title>');
    });
    const crier = new Crier({ baseUrl: proxy.url, apiKey: 'sk_x' });
    expect(operations.length).toBeGreaterThan(100);
    // It responds with a page.
    const others = operations.filter((name) => name !== 'finishConnect');
    const outcomes = await Promise.all(others.map((name) => use(crier, name).catch((error: unknown) => error)));
    const wrong = others.filter((_, index) => {
      const outcome = outcomes[index];
      return !(outcome instanceof CrierError && outcome.code === 'NOT_CRIER' && outcome.status === 200);
    });
    expect(wrong).toEqual([]);
    expect(outcomes[0]).toMatchObject({ message: expect.stringContaining(`${proxy.url} returned`) });
  },
);

test('JSON with any parameters is read', async () => {
  await using service = await serve((_request, response) => {
    response.setHeader('content-type', 'Application/JSON; charset=utf-8').end('{ "webhooks": [] }');
  });
  expect(await new Crier({ baseUrl: service.url, apiKey: 'sk_x' }).listWebhooks()).toEqual({ webhooks: [] });
});
