import { describe, expect, test } from 'vitest';
import { createChannel, errorOf, startWithChannel } from './testing.ts';

describe('Telegram bots and chats', () => {
  test('a bot reads its identity, its channel and its rights', async () => {
    const { call, botToken, chatId } = await startWithChannel('news');
    const { result: me } = await (await call('getMe')).json();
    expect(botToken).toMatch(/^\d+:[\w-]{35}$/);
    expect(me).toMatchObject({ id: Number(botToken.split(':')[0]), is_bot: true, username: 'news_bot' });
    const { result: chat } = await (await call('getChat', { chat_id: '@news' })).json();
    expect(chat).toMatchObject({ id: Number(chatId), type: 'channel', title: 'news', username: 'news' });
    const { result: member } = await (await call('getChatMember', { user_id: me.id })).json();
    expect(member).toMatchObject({ status: 'administrator', can_post_messages: true, user: { id: me.id } });
  });

  test('a bot without the right to post gets an error', async () => {
    const { call, botToken } = await startWithChannel('news-norights');
    const user_id = botToken.split(':')[0];
    const { result } = await (await call('getChatMember', { user_id })).json();
    expect(result).toMatchObject({ status: 'administrator', can_post_messages: false });
    expect(await errorOf(call('sendMessage', { text: 'a' }))).toEqual([
      400,
      400,
      'Bad Request: need administrator rights in the channel chat',
    ]);
  });

  test('a deleted channel is not found, while its bot still works', async () => {
    const { call } = await startWithChannel('news-gone');
    expect((await call('getMe')).status).toBe(200);
    for (const method of ['getChat', 'sendMessage']) {
      expect(await errorOf(call(method, { text: 'a' }))).toEqual([400, 400, 'Bad Request: chat not found']);
    }
  });

  test('a bot that was removed from the channel gets an error', async () => {
    const { sandbox, call } = await startWithChannel('news');
    await sandbox.sendJson('PATCH', '/_control/accounts', { network: 'telegram', handle: 'news', suspended: true });
    expect(await errorOf(call('sendMessage', { text: 'a' }))).toEqual([
      403,
      403,
      'Forbidden: bot was kicked from the channel chat',
    ]);
  });

  test('another bot’s public channel is readable but not writable', async () => {
    const { sandbox, call, botToken } = await startWithChannel('news');
    const [open, hidden] = [await createChannel(sandbox, 'sport'), await createChannel(sandbox, 'private-club')];
    expect((await call('getChat', { chat_id: open.chatId })).status).toBe(200);
    const user_id = botToken.split(':')[0];
    const { result } = await (await call('getChatMember', { chat_id: open.chatId, user_id })).json();
    expect(result.status).toBe('left');
    expect((await errorOf(call('sendMessage', { chat_id: open.chatId, text: 'a' })))[2]).toBe(
      'Forbidden: bot is not a member of the channel chat',
    );
    expect((await errorOf(call('getChat', { chat_id: hidden.chatId })))[2]).toBe('Bad Request: chat not found');
  });

  test('an unknown, revoked or malformed token is refused', async () => {
    const { sandbox, call, botToken } = await startWithChannel('news');
    const me = (token: string) => errorOf(sandbox.at(`/api.telegram.org/bot${token}/getMe`, { method: 'POST' }));
    expect(await me(`${botToken}x`)).toEqual([401, 401, 'Unauthorized']);
    expect(await me('nonsense')).toEqual([401, 401, 'Unauthorized: invalid token specified']);
    await sandbox.sendJson('PATCH', '/_control/accounts', { network: 'telegram', handle: 'news', revokeTokens: true });
    expect(await errorOf(call('getMe'))).toEqual([401, 401, 'Unauthorized']);
  });

  test('an unknown method and an unknown path are not found', async () => {
    const { sandbox, call } = await startWithChannel();
    expect(await errorOf(call('sendLetter'))).toEqual([404, 404, 'Not Found: method not found']);
    expect(await errorOf(sandbox.at('/api.telegram.org/news/1'))).toEqual([404, 404, 'Not Found']);
  });

  test('a rate limit states the waiting time in the body and in a header', async () => {
    const { sandbox, call } = await startWithChannel();
    await sandbox.fault({ network: 'telegram', operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 12 });
    const response = await call('sendMessage', { text: 'a' });
    expect(response.headers.get('retry-after')).toBe('12');
    expect(await response.json()).toEqual({
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 12',
      parameters: { retry_after: 12 },
    });
  });

  test('a channel takes twenty messages a minute with the vendor’s limits', async () => {
    const now = () => 1_800_000_000_000;
    const statuses = async (rateLimits: 'vendor' | 'off') => {
      const { call } = await startWithChannel('news', { now, rateLimits });
      const seen = [];
      for (let count = 0; count < 21; count += 1) seen.push((await call('sendMessage', { text: 'a' })).status);
      return seen.filter((status) => status === 200).length;
    };
    expect(await statuses('vendor')).toBe(20);
    expect(await statuses('off')).toBe(21);
  });

  test('the control API shows no token', async () => {
    const { sandbox, call, botToken } = await startWithChannel();
    await call('sendMessage', { text: 'a' });
    const shown = JSON.stringify([await sandbox.requests('telegram'), await sandbox.posts('telegram')]);
    expect(shown).not.toContain(botToken.split(':')[1]);
  });

  test('a channel keeps its id after a reset', async () => {
    const { sandbox, chatId } = await startWithChannel('news');
    await sandbox.sendJson('POST', '/_control/reset', {});
    expect((await createChannel(sandbox, 'news')).chatId).toBe(chatId);
  });
});
