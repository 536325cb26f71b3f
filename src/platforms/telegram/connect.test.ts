import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../test/support/servers/local.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { platformClient } from '../kit/http/client.ts';
import { connect, testConnection } from './connect.ts';

const botToken = '123456789:AAE-own_value_of_this_test_0123456789';
const channel = { id: -1001234567890, type: 'channel', title: 'My News', username: 'mynews' };
const administrator = {
  status: 'administrator',
  can_post_messages: true,
  can_edit_messages: false,
  can_pin_messages: true,
};

interface Answers {
  getMe?: Json;
  getChat?: Json;
  getChatMember?: Json;
}

/** Runs `work` against a fake Telegram with these responses by method. A response with an `error_code` is a refusal. */
async function withAnswers(scripted: Answers, work: (ctx: ReturnType<typeof platformClient>) => Promise<unknown>) {
  const requests: [method: string, body: Json][] = [];
  const answers: Record<string, Json> = {
    getMe: { id: 777, is_bot: true },
    getChat: channel,
    getChatMember: administrator,
    ...scripted,
  };
  await using server = await serve(async (request, response) => {
    const method = (request.url ?? '').split('/').at(-1) ?? '';
    requests.push([method, JSON.parse(await new Response(request).text())]);
    const answer = answers[method];
    const status = answer && typeof answer === 'object' && 'error_code' in answer ? Number(answer.error_code) : 200;
    response.writeHead(status).end(JSON.stringify(status === 200 ? { ok: true, result: answer } : answer));
  });
  const outcome = await work(platformClient(server.access(), 'telegram', new AbortController().signal)).then(
    (value) => ({ value, error: null }),
    (error: unknown) => ({ value: null, error }),
  );
  return { requests, ...outcome };
}

const connecting = (scripted: Answers = {}, typed = '@mynews') =>
  withAnswers(scripted, (ctx) => connect.finish({ botToken, channel: typed }, ctx));
const testing = (scripted: Answers = {}, token = botToken) => {
  const account = { id: '', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { botToken: token, chatId: '-1001234567890' };
  return withAnswers(scripted, (ctx) => testConnection({ ...ctx, account, credentials }));
};

describe('connecting', () => {
  test('ends in a grant for the channel with the rights of the bot there', async () => {
    const { requests, value } = await connecting();
    expect(value).toEqual([
      {
        account: {
          id: '-1001234567890',
          handle: 'mynews',
          displayName: 'My News',
          avatarUrl: null,
          profileUrl: 'https://t.me/mynews',
          traits: {},
        },
        credentials: { botToken, chatId: '-1001234567890' },
        scopes: ['can_post_messages', 'can_pin_messages'],
        expiresAt: null,
      },
    ]);
    expect(requests).toEqual([
      ['getMe', {}],
      ['getChat', { chat_id: '@mynews' }],
      ['getChatMember', { chat_id: -1001234567890, user_id: 777 }],
    ]);
  });

  test('to a private channel gives a title and no username', async () => {
    const { id, type, title } = channel;
    const { requests, value } = await connecting({ getChat: { id, type, title } }, 'https://t.me/c/1234567890/42');
    expect(value).toMatchObject([{ account: { handle: '', displayName: 'My News', profileUrl: null } }]);
    expect(requests[1]).toEqual(['getChat', { chat_id: '-1001234567890' }]);
  });

  test.for<[title: string, allowed: boolean, member: Json, permissions?: Json]>([
    ['its creator', true, { status: 'creator' }],
    ['an administrator', true, { status: 'administrator' }],
    ['a member', true, { status: 'member' }],
    ['a member, but only administrators may write', false, { status: 'member' }, { can_send_messages: false }],
    ['restricted, but may write', true, { status: 'restricted', can_send_messages: true }],
    ['restricted', false, { status: 'restricted', can_send_messages: false }],
    ['gone', false, { status: 'left' }],
  ])('to a supergroup in which the bot is %s: %s', async ([, allowed, member, permissions]) => {
    const getChat = { ...channel, type: 'supergroup', ...(permissions && { permissions }) };
    const { error } = await connecting({ getChat, getChatMember: member });
    expect(error === null).toBe(allowed);
  });

  test('with a revoked token says what to do and does not show the token', async () => {
    const { error } = await connecting({ getMe: { ok: false, error_code: 401, description: 'Unauthorized' } });
    const failure = await failureOf(Promise.reject(error));
    expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('@BotFather') });
    expectNoSecret(failure, [botToken]);
  });

  test('does not show the token when the connection breaks', async () => {
    await using server = await serve((request) => void request.socket.destroy());
    const ctx = platformClient(server.access(), 'telegram', new AbortController().signal);
    const failure = await failureOf(connect.finish({ botToken, channel: '@mynews' }, ctx));
    expect(failure.kind).toBe('network');
    expectNoSecret(failure, [botToken]);
  });

  test('to a channel without the bot says what to do', async () => {
    const getChat = { ok: false, error_code: 403, description: 'Forbidden: bot is not a member of the channel chat' };
    expect((await connecting({ getChat })).error).toMatchObject({
      kind: 'auth',
      message: 'The bot is not in the channel. Add it as an administrator and connect the channel again.',
    });
  });
});

describe('the form', () => {
  const issuesOf = (values: Record<string, unknown>) =>
    connect.fields.safeParse({ botToken, channel: '@mynews', ...values }).error?.issues.map(({ message }) => message);

  test('is complete with a token and a channel', () => {
    expect(issuesOf({})).toBeUndefined();
    expect(issuesOf({ botToken: ` ${botToken}\n`, channel: ' https://t.me/mynews ' })).toBeUndefined();
  });

  test('refuses an invite link with a reason', () => {
    expect(issuesOf({ channel: 'https://t.me/+AbCdEf' })).toEqual([
      'An invite link does not identify the channel. Enter the @name, or the link to a message in the channel.',
    ]);
  });

  test('says how to enter a channel and a token', () => {
    expect(issuesOf({ channel: 'my news', botToken: 'secret' })).toEqual([
      'Enter the token that @BotFather gave you, such as 123456789:AAE….',
      'Enter the channel as @name, as an id such as -1001234567890, or as the link to a message in it.',
    ]);
  });

  test('can be shown', () => {
    expect(z.toJSONSchema(connect.fields, { io: 'input' })).toMatchObject({
      properties: {
        botToken: { type: 'string', title: 'Bot token', description: expect.any(String) },
        channel: { type: 'string', title: 'Channel', description: expect.any(String) },
      },
      required: ['botToken', 'channel'],
    });
  });
});

describe('testing a connection', () => {
  test.for<[message: string, scripted: Answers, token?: string]>([
    ['Bot needs channel administrator posting rights', { getChatMember: { status: 'administrator' } }],
    [
      'Bot needs channel administrator posting rights',
      { getChatMember: { status: 'member', can_post_messages: true } },
    ],
    ['Bot needs channel administrator posting rights', { getChatMember: { status: 'left' } }],
    ['Channel is unavailable', { getChat: { ...channel, type: 'private' } }],
    ['Channel is unavailable', { getChat: { ...channel, type: 'group' } }],
    ['Invalid bot token', {}, 'no-token'],
    ['Invalid bot token', { getMe: { id: 777, is_bot: false } }],
    ['Request failed with status code 401', { getMe: { ok: false, error_code: 401, description: 'Unauthorized' } }],
    [
      'Request failed with status code 400',
      { getChat: { ok: false, error_code: 400, description: 'Bad Request: chat not found' } },
    ],
    [
      'Request failed with status code 403',
      { getChat: { ok: false, error_code: 403, description: 'Forbidden: bot was kicked from the channel chat' } },
    ],
  ])('"%s": %j', async ([message, scripted, token]) => {
    const { error } = await testing(scripted, token);
    expect(error).toMatchObject({ kind: 'auth', message });
  });

  test('keeps the kind of a temporary failure', async () => {
    const limited = {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 9',
      parameters: { retry_after: 9 },
    };
    const serverError = { ok: false, error_code: 502, description: 'Bad Gateway' };
    expect((await testing({ getMe: limited })).error).toMatchObject({
      kind: 'rate_limited',
      retryAfterSeconds: 9,
      message: 'Request failed with status code 429',
    });
    expect((await testing({ getChat: serverError })).error).toMatchObject({
      kind: 'unavailable',
      reason: 'Bad Gateway',
      message: 'Request failed with status code 502',
    });
  });

  test('returns the channel with its title', async () => {
    expect((await testing()).value).toMatchObject({ id: '-1001234567890', handle: 'mynews', displayName: 'My News' });
  });
});
