import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../test/support/servers/local.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { call } from './api.ts';

const botToken = '123456789:AAE-own_value_of_this_test_0123456789';

interface VendorRequest {
  url: string;
  body: unknown;
}
type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

/** A call to a server that returns these responses in order and records the requests. */
async function callTo(answers: Answer[], params = {}, token = botToken) {
  const requests: VendorRequest[] = [];
  await using server = await serve(async (request, response) => {
    requests.push({ url: request.url ?? '', body: JSON.parse(await new Response(request).text()) });
    const { status = 200, headers = {}, body } = answers[requests.length - 1] ?? { body: '' };
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const ctx = platformClient(server.access(), 'telegram', new AbortController().signal);
  const outcome = await call(z.object({ id: z.int() }), { botToken: token, method: 'getThing', params }, ctx).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { requests, ...outcome };
}

async function failureAfter(answer: Answer, token = botToken) {
  const outcome = await callTo([answer], {}, token);
  return failureOf('error' in outcome ? Promise.reject(outcome.error) : Promise.resolve(outcome.value));
}

const refusal = (error_code: number, description: string, parameters?: Record<string, number>) => ({
  status: error_code,
  body: { ok: false, error_code, description, ...(parameters && { parameters }) },
});

describe('call', () => {
  test('sends the token in the address and JSON in the body', async () => {
    const outcome = await callTo([{ body: { ok: true, result: { id: 7, more: true } } }], { a: ['b'] });
    expect(outcome).toEqual({ value: { id: 7 }, requests: [{ url: `/bot${botToken}/getThing`, body: { a: ['b'] } }] });
  });

  test('follows a group that has become a supergroup once', async () => {
    const moved = refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: -1009876543210,
    });
    const { requests, ...outcome } = await callTo([moved, { body: { ok: true, result: { id: 7 } } }], {
      chat_id: '-5',
      a: 1,
    });
    expect(outcome).toEqual({ value: { id: 7 } });
    expect(requests.map(({ body }) => body)).toEqual([
      { chat_id: '-5', a: 1 },
      { chat_id: -1009876543210, a: 1 },
    ]);
    expect((await callTo([moved, moved, moved], { chat_id: '-5' })).requests).toHaveLength(2);
  });

  test.for(['', '123', '123456789:short', `${botToken}/getMe?`, `${botToken} `])(
    'sends nothing with the token %j',
    async (token) => {
      const { requests, ...outcome } = await callTo([], {}, token);
      expect(requests).toEqual([]);
      expect(outcome).toMatchObject({ error: { kind: 'auth', message: 'Invalid bot token' } });
    },
  );

  test.for(['<html>', '', '[]', '{"ok":true}', '{"ok":true,"result":{"id":"7"}}', '{"ok":false,"result":{"id":7}}'])(
    'an unreadable response is "unavailable": %j',
    async (body) => {
      const failed = await failureAfter({ body });
      expect(failed).toMatchObject({ kind: 'unavailable', status: 200, mayHaveHappened: true });
    },
  );
});

describe('a refusal', () => {
  test.for([
    [401, 'Unauthorized', 'auth'],
    [401, 'Unauthorized: invalid token specified', 'auth'],
    [404, 'Not Found', 'auth'],
    [404, 'Not Found: method not found', 'rejected'],
    [403, 'Forbidden: bot was kicked from the channel chat', 'auth'],
    [403, 'Forbidden: bot is not a member of the supergroup chat', 'auth'],
    [403, 'Forbidden: the group chat was deleted', 'rejected'],
    [400, 'Bad Request: need administrator rights in the channel chat', 'auth'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'auth'],
    [400, 'Bad Request: have no rights to send a message', 'auth'],
    [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', 'auth'],
    [400, 'Bad Request: chat not found', 'auth'],
    [400, 'Bad Request: message text is empty', 'rejected'],
    [400, 'Bad Request: message is too long', 'rejected'],
    [400, 'Bad Request: MEDIA_CAPTION_TOO_LONG', 'rejected'],
    [400, 'Bad Request: PHOTO_INVALID_DIMENSIONS', 'rejected'],
    [400, 'Bad Request: VIDEO_FILE_INVALID', 'rejected'],
    [400, 'Bad Request: file is too big', 'too_large'],
    [413, 'Request Entity Too Large', 'too_large'],
    [409, 'Conflict: terminated by other getUpdates request', 'rejected'],
    [429, 'Too Many Requests: retry after 17', 'rate_limited'],
  ] as const)('%i "%s" is "%s" with that reason', async ([status, description, kind]) => {
    const failed = await failureAfter(refusal(status, description));
    expect(failed).toMatchObject({ kind, status, reason: description, mayHaveHappened: false });
  });

  test.for([500, 502, 504])('as a page with %i is a server error and in doubt', async (status) => {
    const failed = await failureAfter({ status, body: '<html><h1>Bad Gateway</h1></html>' });
    expect(failed).toMatchObject({ kind: 'unavailable', status, mayHaveHappened: true });
    expect(failed.reason).toMatch(String(status));
  });

  test('says in its body how long to wait', async () => {
    const failed = await failureAfter(refusal(429, 'Too Many Requests: retry after 17', { retry_after: 17 }));
    expect(failed.retryAfterSeconds).toBe(17);
  });

  test.for([
    [{ 'retry-after': '21' }, 21],
    [{}, 60],
  ] as const)(
    'without a number in its body is read from the headers, or has a default: %j',
    async ([headers, seconds]) => {
      const failed = await failureAfter({ status: 429, headers, body: 'slow down' });
      expect(failed).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: seconds });
    },
  );

  test('that repeats the token is redacted', async () => {
    for (const status of [400, 401, 500]) {
      const failed = await failureAfter(refusal(status, `No: https://api.telegram.org/bot${botToken}/getThing`));
      expect(failed.reason).toMatch(/^No: /);
      expectNoSecret(failed, [botToken]);
    }
  });
});
