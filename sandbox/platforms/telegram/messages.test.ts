import { describe, expect, test } from 'vitest';
import { createChannel, errorOf, startWithChannel } from './testing.ts';

describe('Telegram messages', () => {
  test('a message has the vendor’s format and a page at its address', async () => {
    const { sandbox, call, chatId, posts } = await startWithChannel('news');
    const before = Math.floor(Date.now() / 1000);
    const { ok, result } = await (await call('sendMessage', { text: 'Hello' })).json();
    const chat = { id: Number(chatId), title: 'news', username: 'news', type: 'channel' };
    expect(ok).toBe(true);
    expect(result).toEqual({
      message_id: expect.any(Number),
      sender_chat: chat,
      chat,
      date: expect.any(Number),
      text: 'Hello',
    });
    expect(result.date).toBeGreaterThanOrEqual(before);
    const id = String(result.message_id);
    expect(await posts()).toMatchObject([{ id, text: 'Hello', url: `https://t.me/news/${id}`, inReplyTo: null }]);
    expect(await (await sandbox.at(`/t.me/news/${id}`)).text()).toContain('Hello');
    expect(await (await sandbox.at('/t.me/s/news')).text()).toContain('Hello');
    expect((await sandbox.at('/t.me/news/999')).status).toBe(404);
  });

  test('a private channel has no public name, and its messages are under c/', async () => {
    const { sandbox, call, chatId, posts } = await startWithChannel('private-club');
    const { result: chat } = await (await call('getChat')).json();
    expect(chat).toMatchObject({ id: Number(chatId), title: 'private-club', type: 'channel' });
    expect(chat.username).toBeUndefined();
    await call('sendMessage', { text: 'Psst' });
    const [post] = await posts();
    expect(post.url).toBe(`https://t.me/c/${chatId.slice(4)}/${post.id}`);
    expect(await (await sandbox.at(post.url.replace('https:/', ''))).text()).toContain('Psst');
  });

  test('form, JSON and multipart work alike, and method names ignore case', async () => {
    const { sandbox, botToken, upload, posts } = await startWithChannel('news');
    const base = `/api.telegram.org/bot${botToken}`;
    const form = new URLSearchParams({ chat_id: '@News', text: 'form', disable_notification: 'true' });
    await sandbox.at(`${base}/SENDMESSAGE`, { method: 'POST', body: form });
    await upload('sendMessage', {}, { text: 'multipart', link_preview_options: { is_disabled: true } });
    expect((await posts()).map(({ text }: { text: string }) => text)).toEqual(['form', 'multipart']);
  });

  test('content protection and link preview appear in the message', async () => {
    const { call } = await startWithChannel();
    const options = { is_disabled: true };
    const both = await (
      await call('sendMessage', { text: 'a', protect_content: true, link_preview_options: options })
    ).json();
    expect(both.result).toMatchObject({ has_protected_content: true, link_preview_options: options });
    const none = await (await call('sendMessage', { text: 'a' })).json();
    expect(none.result).not.toHaveProperty('link_preview_options');
  });

  test('a reply is stored as one; a reply to an unknown message is refused unless it may stand alone', async () => {
    const { sandbox, call, posts } = await startWithChannel();
    const { result: first } = await (await call('sendMessage', { text: 'one' })).json();
    const reply = await (
      await call('sendMessage', { text: 'two', reply_parameters: { message_id: first.message_id } })
    ).json();
    expect(reply.result.reply_to_message).toMatchObject({ message_id: first.message_id, date: first.date });
    const id = String(first.message_id);
    expect(await posts()).toMatchObject([{ inReplyTo: null }, { text: 'two', inReplyTo: id }]);
    const missing = { message_id: 404404 };
    expect(await errorOf(call('sendMessage', { text: 'x', reply_parameters: missing }))).toEqual([
      400,
      400,
      'Bad Request: message to be replied not found',
    ]);
    const alone = { ...missing, allow_sending_without_reply: true };
    expect((await call('sendMessage', { text: 'x', reply_parameters: alone })).status).toBe(200);
    const operations = (await sandbox.requests('telegram')).map(({ operation }: { operation: string }) => operation);
    expect(operations).toEqual(['publish', 'comment', 'comment', 'comment']);
  });

  test.each([
    ['a'.repeat(4096), true],
    ['a'.repeat(4097), false],
    ['😀'.repeat(2048), true],
    [`${'😀'.repeat(2048)}a`, false],
    [`${'a'.repeat(4096)}   \n`, true],
  ])('length is counted in UTF-16 units (%#)', async (text, isAllowed) => {
    const { call } = await startWithChannel();
    const response = call('sendMessage', { text });
    if (isAllowed) expect((await response).status).toBe(200);
    else expect(await errorOf(response)).toEqual([400, 400, 'Bad Request: message is too long']);
  });

  test.each([
    [{ text: '' }, 'message text is empty'],
    [{ text: ' \n ' }, 'text must be non-empty'],
    [{ text: 'é'.repeat(16_385) }, 'text is too long'],
    [{ text: 'a', chat_id: '' }, 'chat_id is empty'],
    [{ text: 'a', chat_id: '-1001' }, 'chat not found'],
    [{ text: 'a', chat_id: '@nobody' }, 'chat not found'],
    [{ text: 'a', parse_mode: 'HTML' }, 'parse_mode is not simulated by the sandbox'],
    [{ text: 'a', reply_parameters: '{' }, "can't parse reply parameters JSON object"],
  ])('%j is refused', async (fields, reason) => {
    const { call, posts } = await startWithChannel();
    expect(await errorOf(call('sendMessage', fields))).toEqual([400, 400, `Bad Request: ${reason}`]);
    expect(await posts()).toEqual([]);
  });

  test('a deleted message is gone', async () => {
    const { call, posts } = await startWithChannel();
    const { result } = await (await call('sendMessage', { text: 'one' })).json();
    const { message_id } = result;
    expect(await (await call('deleteMessage', { message_id })).json()).toEqual({ ok: true, result: true });
    expect(await posts()).toEqual([]);
    expect(await errorOf(call('deleteMessage', { message_id }))).toEqual([
      400,
      400,
      'Bad Request: message to delete not found',
    ]);
  });

  test('a message can be deleted for 48 hours', async () => {
    let now = Date.now();
    const { call, posts } = await startWithChannel('news', { now: () => now });
    const ids: number[] = [];
    for (const text of ['one', 'two']) ids.push((await (await call('sendMessage', { text })).json()).result.message_id);
    now += 48 * 3_600_000 - 1;
    expect((await call('deleteMessage', { message_id: ids[0]! })).status).toBe(200);
    now += 1;
    const late = call('deleteMessage', { message_id: ids[1]! });
    expect(await errorOf(late)).toEqual([400, 400, "Bad Request: message can't be deleted"]);
    expect(await posts()).toMatchObject([{ text: 'two' }]);
  });

  test('a bot without the right to post deletes nothing', async () => {
    const { call } = await startWithChannel('news-norights');
    expect(await errorOf(call('deleteMessage', { message_id: 1 }))).toEqual([
      400,
      400,
      'Bad Request: need administrator rights in the channel chat',
    ]);
  });

  test('messages of two channels have different ids', async () => {
    const { sandbox, call } = await startWithChannel('news');
    const other = await createChannel(sandbox, 'sport');
    const ids = [];
    for (const send of [call, other.call, call]) {
      ids.push((await (await send('sendMessage', { text: 'same' })).json()).result.message_id);
    }
    expect(new Set(ids).size).toBe(3);
    const elsewhere = other.call('deleteMessage', { message_id: ids[0] });
    expect((await elsewhere).status).toBe(400);
  });
});
