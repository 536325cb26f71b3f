import { expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { failureOf } from '../../../test/support/platform-stage.ts';
import { platformClient } from '../kit/client.ts';
import { bearer, Created, call } from './api.ts';

async function callTo(status: number, body: string) {
  await using server = await serve((_request, response) => void response.writeHead(status).end(body));
  const ctx = platformClient(server.access(), 'twitter', new AbortController().signal);
  return await call(Created, { ...bearer('at-0123456789'), path: '/tweets' }, ctx);
}

test.for(['<html>', '', '[]', '{"data":{"id":7}}', '{"data":{"id":"../1"}}'])(
  'an answer that makes no sense is "unavailable", and may have happened: %j',
  async (body) => {
    const failed = await failureOf(callTo(201, body));
    expect(failed).toMatchObject({ kind: 'unavailable', status: 201, mayHaveHappened: true });
  },
);

test('errors in place of what was asked for are a refusal, whatever the status', async () => {
  const errors = [{ title: 'Forbidden', type: 'https://api.x.com/2/problems/user-suspended', detail: 'at-0123456789' }];
  const failed = await failureOf(callTo(200, JSON.stringify({ errors })));
  expect(failed).toMatchObject({ kind: 'auth', status: 200, reason: '[secret]', mayHaveHappened: false });
});

test('errors beside what was asked for are no trouble', async () => {
  const body = { data: { id: '7', text: 'Hello' }, errors: [{ message: 'A field is missing.' }] };
  expect(await callTo(201, JSON.stringify(body))).toEqual({ data: { id: '7' } });
});
