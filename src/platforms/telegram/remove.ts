import { z } from 'zod';
import { type Context, type Removal, removal } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';
import { unknownId } from './publish.ts';

/** Deletes one message; the other messages of an album stay. Bots can delete only messages from the last 48 hours. */
export async function remove(id: string, ctx: Context<Credentials>): Promise<Removal> {
  if (id === unknownId) return { isGone: false, why: 'Telegram has not assigned the message an id yet' };
  const { botToken, chatId } = ctx.credentials;
  const params = { chat_id: chatId, message_id: Number(id) };
  return removal(call(z.literal(true), { botToken, method: 'deleteMessage', params }, ctx), {
    isMissing: ({ reason }) => /message to delete not found/i.test(reason ?? ''),
    isForbidden: ({ status, reason }) =>
      status === 403 || /can't be deleted|not enough rights|administrator rights/i.test(reason ?? ''),
  });
}
