import { type output, z } from 'zod';
import {
  type Account,
  type Context,
  type FormConnect,
  type Grant,
  type PlatformClient,
  PlatformError,
} from '../kit/index.ts';
import { Bot, Chat, type Credentials, call, isBotToken, Member } from './api.ts';
import { chatFrom, isInviteLink } from './channel-name.ts';

const steps = [
  'In Telegram, message @BotFather and send /newbot. It replies with a token.',
  'In your channel, open Administrators and add the bot with permission to post messages.',
  'Enter the token and the channel name below.',
];

const Fields = z
  .object({
    botToken: z
      .string()
      .trim()
      .refine(isBotToken, 'Enter the token that @BotFather gave you, such as 123456789:AAE….')
      .meta({
        title: 'Bot token',
        description: 'From @BotFather. The bot must be an administrator of the channel.',
        secret: true,
      }),
    channel: z
      .string()
      .refine((typed) => !isInviteLink(typed), {
        error:
          'An invite link does not identify the channel. Enter the @name, or the link to a message in the channel.',
        abort: true,
      })
      .overwrite((typed) => chatFrom(typed) ?? '')
      .min(1, 'Enter the channel as @name, as an id such as -1001234567890, or as the link to a message in it.')
      .meta({
        title: 'Channel',
        description: '@name or t.me/name; for a private channel, the link to one of its messages.',
      }),
  })
  .meta({ description: steps.join('\n') });

export const connect: FormConnect<Credentials> = {
  kind: 'form',
  fields: Fields,

  async finish(values, ctx) {
    const { botToken, channel } = Fields.parse(values);
    const { chat, scopes } = await readChannel({ botToken, chatId: channel }, ctx);
    const grant: Grant<Credentials> = {
      account: accountOf(chat),
      credentials: { botToken, chatId: String(chat.id) },
      scopes,
      // Tokens last until they are revoked.
      expiresAt: null,
    };
    return [grant];
  },
};

/**
 * contract.md#test-connection.telegram fixes the messages of this test, including those for Telegram's own refusals.
 */
export async function testConnection(ctx: Context<Credentials>): Promise<Account> {
  try {
    return accountOf((await readChannel(ctx.credentials, ctx)).chat);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status === null) throw error;
    throw error.with({ message: `Request failed with status code ${error.status}` });
  }
}

/** The channel, if the bot may post to it. */
async function readChannel({ botToken, chatId }: Credentials, ctx: PlatformClient) {
  const bot = await call(Bot, { botToken, method: 'getMe', params: {} }, ctx);
  if (!bot.is_bot) throw new PlatformError('auth', 'Invalid bot token');
  const chat = await call(Chat, { botToken, method: 'getChat', params: { chat_id: chatId } }, ctx);
  if (chat.type !== 'channel' && chat.type !== 'supergroup') throw new PlatformError('auth', 'Channel is unavailable');
  const params = { chat_id: chat.id, user_id: bot.id };
  const member = await call(Member, { botToken, method: 'getChatMember', params }, ctx);
  if (!mayPost(member, chat)) throw new PlatformError('auth', 'Bot needs channel administrator posting rights');
  return { chat, scopes: rightsOf(member) };
}

/** In a group, every member may write unless the group or the membership restricts it. */
function mayPost(member: output<typeof Member>, chat: output<typeof Chat>): boolean {
  if (member.status === 'creator') return true;
  if (chat.type === 'channel') return member.status === 'administrator' && member.can_post_messages === true;
  if (member.status === 'restricted') return member.can_send_messages === true;
  return (
    member.status === 'administrator' || (member.status === 'member' && chat.permissions?.can_send_messages !== false)
  );
}

const rightsOf = (member: output<typeof Member>) =>
  Object.keys(member).filter((name) => name.startsWith('can_') && member[name] === true);

function accountOf({ id, title, username }: output<typeof Chat>): Account {
  return {
    id: String(id),
    // A private channel has no username.
    handle: username ?? '',
    displayName: title ?? username ?? String(id),
    // Telegram's image URLs contain the bot token.
    avatarUrl: null,
    profileUrl: username ? `https://t.me/${username}` : null,
    traits: {},
  };
}
