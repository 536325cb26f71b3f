import { expect, test } from 'vitest';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { api, Created, call } from './api.ts';

async function callTo(status: number, body: unknown) {
  await using server = await serve((_request, response) => void response.writeHead(status).end(JSON.stringify(body)));
  const ctx = platformClient(server.access(), 'twitter', new AbortController().signal);
  return await call(Created, { url: `${api}/tweets`, accessToken: 'at-0123456789' }, ctx);
}

test.for(['../1', 7])('an id that is not digits is an unreadable response, and in doubt: %j', async (id) => {
  const failure = await failureOf(callTo(201, { data: { id } }));
  expect(failure).toMatchObject({ kind: 'unavailable', status: 201, mayHaveHappened: true });
});

test('errors in place of the data are a refusal, whatever the status', async () => {
  const errors = [{ title: 'Forbidden', type: 'https://api.x.com/2/problems/user-suspended', detail: 'at-0123456789' }];
  const failure = await failureOf(callTo(200, { errors }));
  expect(failure).toMatchObject({ kind: 'auth', status: 200, reason: '[secret]', mayHaveHappened: false });
});

test('errors beside the data are ignored', async () => {
  const body = { data: { id: '7', text: 'Hello' }, errors: [{ message: 'A field is missing.' }] };
  expect(await callTo(201, body)).toEqual({ data: { id: '7' } });
});
