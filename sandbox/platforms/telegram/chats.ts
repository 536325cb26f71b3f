import { asText } from '../../http/coerce.ts';
import type { Json, JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { badRequest, refuse } from './errors.ts';

/** Returns the channel that `chat_id` names, if the bot may see it. */
export function findChat(call: Call, bot: Account, chatId: Json | undefined): Account {
  const name = asText(chatId);
  if (name === '') badRequest('chat_id is empty');
  const chat = name.startsWith('@')
    ? findByUsername(call, name.slice(1))
    : call.sandbox.store.accounts.find('telegram', name);
  if (!chat || chat.data.isGone === true) badRequest('chat not found');
  if (chat.id !== bot.id && chat.data.username === null) badRequest('chat not found');
  if (chat.id === bot.id && chat.suspended) refuse(403, 'Forbidden: bot was kicked from the channel chat');
  return chat;
}

/** Returns the channel only if the bot may change it. */
export function findWritableChat(call: Call, bot: Account, chatId: Json | undefined): Account {
  const chat = findChat(call, bot, chatId);
  if (chat.id !== bot.id) refuse(403, 'Forbidden: bot is not a member of the channel chat');
  if (chat.data.canPost !== true) badRequest('need administrator rights in the channel chat');
  return chat;
}

export function findByUsername(call: Call, username: string): Account | undefined {
  const wanted = username.toLowerCase();
  const { accounts } = call.sandbox.store;
  const sameHandle = accounts.findByHandle('telegram', wanted);
  if (sameHandle?.data.username === wanted) return sameHandle;
  return accounts.list('telegram').find(({ data }) => data.username === wanted);
}

export function presentChat(chat: Account): JsonObject {
  const { username } = chat.data;
  return {
    id: Number(chat.id),
    title: chat.displayName,
    ...(username && { username }),
    type: 'channel',
  };
}

export function presentBot(bot: Account): JsonObject {
  const { botId, botName } = bot.data;
  return { id: Number(botId), is_bot: true, first_name: `${bot.displayName} bot`, username: botName ?? null };
}
