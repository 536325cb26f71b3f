import { expect, test } from 'vitest';
import { serve } from '../../../test/support/servers/local.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { platformClient } from '../kit/http/client.ts';
import { threadPermission } from './thread-permission.ts';

const credentials = { accessToken: 'access-token-1', userId: '42' };
const ann = { id: '42', handle: 'ann', displayName: 'Ann', avatarUrl: null, profileUrl: null };

type Answer = { status?: number; body: Json | string };

/** Asks a fake Threads with this response. */
async function ask({ status = 200, body }: Answer, traits: Record<string, Json> = {}) {
  await using server = await serve((_, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const client = platformClient(server.access(), 'threads', new AbortController().signal);
  return await threadPermission.isGranted({ ...client, account: { ...ann, traits }, credentials });
}

const token = (is_valid: boolean, ...scopes: string[]) => ({ body: { data: { is_valid, scopes } } });
const refusal = (code: number, status = 400) => ({
  status,
  body: { error: { code, message: `No, ${credentials.accessToken}.` } },
});

test.for([
  [true, token(true, 'threads_basic', 'threads_manage_replies')],
  [false, token(true, 'threads_basic', 'threads_content_publish')],
  [false, token(true)],
] as const)('is as Threads says (%s), whatever was known before', async ([granted, answer]) => {
  for (const canReply of [true, false]) expect(await ask(answer, { canReply })).toBe(granted);
});

test.for([
  [true, { canReply: true }],
  [true, {}],
  [false, { canReply: false }],
] as const)('is as known before (%s for %o) if Threads refuses to tell', async ([granted, traits]) => {
  for (const answer of [refusal(100), refusal(10, 403), refusal(200)]) expect(await ask(answer, traits)).toBe(granted);
});

test.for<[title: string, answer: Answer, kind: string]>([
  ['calls the token invalid', token(false), 'auth'],
  ['refuses the token', refusal(190), 'auth'],
  ['fails', { status: 500, body: '' }, 'unavailable'],
  ['sends an unreadable answer', { body: 'Hello' }, 'unavailable'],
  ['limits the requests', refusal(4, 403), 'rate_limited'],
])('is not guessed if Threads %s', async ([, answer, kind]) => {
  const failure = await failureOf(ask(answer, { canReply: true }));
  expect(failure.kind).toBe(kind);
  expectNoSecret(failure, [credentials.accessToken]);
});
