import { describe, expect, test } from 'vitest';
import { aChannel, channelIn, refusalOf } from './testing.ts';

describe('Telegram bots and chats', () => {
  test('a bot learns who it is, where it is and what it may do', async () => {
    const { call, botToken, chatId } = await aChannel('news');
    const { result: me } = await (await call('getMe')).json();
    expect(botToken).toMatch(/^\d+:[\w-]{35}$/);
    expect(me).toMatchObject({ id: Number(botToken.split(':')[0]), is_bot: true, username: 'news_bot' });
    const { result: chat } = await (await call('getChat', { chat_id: '@news' })).json();
    expect(chat).toMatchObject({ id: Number(chatId), type: 'channel', title: 'news', username: 'news' });
    const { result: member } = await (await call('getChatMember', { user_id: me.id })).json();
    expect(member).toMatchObject({ status: 'administrator', can_post_messages: true, user: { id: me.id } });
    expect((await (await call('getChatMemberCount')).json()).result).toBe(2);
  });

  test('a bot without the right to post is told so', async () => {
    const { call, botToken } = await aChannel('news-norights');
    const user_id = botToken.split(':')[0];
    const { result } = await (await call('getChatMember', { user_id })).json();
    expect(result).toMatchObject({ status: 'administrator', can_post_messages: false });
    expect(await refusalOf(call('sendMessage', { text: 'a' }))).toEqual([
      400,
      400,
      'Bad Request: need administrator rights in the channel chat',
    ]);
  });

  test('a channel that is gone is not found, by a bot that still works', async () => {
    const { call } = await aChannel('news-gone');
    expect((await call('getMe')).status).toBe(200);
    for (const method of ['getChat', 'sendMessage']) {
      expect(await refusalOf(call(method, { text: 'a' }))).toEqual([400, 400, 'Bad Request: chat not found']);
    }
  });

  test('a bot that was thrown out is told so', async () => {
    const { sandbox, call } = await aChannel('news');
    await sandbox.sendJson('PATCH', '/_control/accounts', { network: 'telegram', handle: 'news', suspended: true });
    expect(await refusalOf(call('sendMessage', { text: 'a' }))).toEqual([
      403,
      403,
      'Forbidden: bot was kicked from the channel chat',
    ]);
  });

  test('somebody else’s channel can be seen when it is public, and not written to', async () => {
    const { sandbox, call, botToken } = await aChannel('news');
    const [open, hidden] = [await channelIn(sandbox, 'sport'), await channelIn(sandbox, 'private-club')];
    expect((await call('getChat', { chat_id: open.chatId })).status).toBe(200);
    const user_id = botToken.split(':')[0];
    const { result } = await (await call('getChatMember', { chat_id: open.chatId, user_id })).json();
    expect(result.status).toBe('left');
    expect((await refusalOf(call('sendMessage', { chat_id: open.chatId, text: 'a' })))[2]).toBe(
      'Forbidden: bot is not a member of the channel chat',
    );
    expect((await refusalOf(call('getChat', { chat_id: hidden.chatId })))[2]).toBe('Bad Request: chat not found');
  });

  test('a token that is unknown, revoked or no token is refused', async () => {
    const { sandbox, call, botToken } = await aChannel('news');
    const me = (token: string) => refusalOf(sandbox.at(`/api.telegram.org/bot${token}/getMe`));
    expect(await me(`${botToken}x`)).toEqual([401, 401, 'Unauthorized']);
    expect(await me('nonsense')).toEqual([401, 401, 'Unauthorized: invalid token specified']);
    await sandbox.sendJson('PATCH', '/_control/accounts', { network: 'telegram', handle: 'news', revokeTokens: true });
    expect(await refusalOf(call('getMe'))).toEqual([401, 401, 'Unauthorized']);
  });

  test('an unknown method and an unknown path are not found', async () => {
    const { sandbox, call } = await aChannel();
    expect(await refusalOf(call('sendLetter'))).toEqual([404, 404, 'Not Found: method not found']);
    expect(await refusalOf(sandbox.at('/api.telegram.org/news/1'))).toEqual([404, 404, 'Not Found']);
  });

  test('a rate limit says how long to wait, in the body and in a header', async () => {
    const { sandbox, call } = await aChannel();
    await sandbox.fault({ network: 'telegram', operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 12 });
    const answer = await call('sendMessage', { text: 'a' });
    expect(answer.headers.get('retry-after')).toBe('12');
    expect(await answer.json()).toEqual({
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 12',
      parameters: { retry_after: 12 },
    });
  });

  test('twenty messages a minute go to one channel where the vendor’s limits hold', async () => {
    const now = () => 1_800_000_000_000;
    const statuses = async (rateLimits: 'vendor' | 'off') => {
      const { call } = await aChannel('news', { now, rateLimits });
      const seen = [];
      for (let count = 0; count < 21; count += 1) seen.push((await call('sendMessage', { text: 'a' })).status);
      return seen.filter((status) => status === 200).length;
    };
    expect(await statuses('vendor')).toBe(20);
    expect(await statuses('off')).toBe(21);
  });

  test('no token shows in what the control API tells', async () => {
    const { sandbox, call, botToken } = await aChannel();
    await call('sendMessage', { text: 'a' });
    const told = JSON.stringify([await sandbox.requests('telegram'), await sandbox.posts('telegram')]);
    expect(told).not.toContain(botToken.split(':')[1]);
  });

  test('a channel keeps its id when the sandbox is emptied', async () => {
    const { sandbox, chatId } = await aChannel('news');
    await sandbox.sendJson('POST', '/_control/reset', {});
    expect((await channelIn(sandbox, 'news')).chatId).toBe(chatId);
  });
});
