import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { authenticate } from './authenticate.ts';
import { findChat, presentBot, presentChat } from './chats.ts';
import { badRequest } from './errors.ts';

export function getMe(call: Call): HttpResponse {
  const bot = authenticate(call);
  return json({
    ok: true,
    result: {
      ...presentBot(bot),
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
    },
  });
}

export function getChat(call: Call): HttpResponse {
  const chat = findChat(call, authenticate(call), call.body.fields.chat_id);
  const { username } = chat.data;
  return json({
    ok: true,
    result: {
      ...presentChat(chat),
      ...(username && { active_usernames: [username] }),
      accent_color_id: 1,
      max_reaction_count: 11,
      accepted_gift_types: {
        unlimited_gifts: false,
        limited_gifts: false,
        unique_gifts: false,
        premium_subscription: false,
        gifts_from_channels: false,
      },
    },
  });
}

export function getChatMember(call: Call): HttpResponse {
  const bot = authenticate(call);
  const input = call.body.fields;
  const userId = asText(input.user_id);
  if (!/^[1-9]\d*$/.test(userId)) badRequest('invalid user_id specified');
  const chat = findChat(call, bot, input.chat_id);
  if (userId !== bot.data.botId) badRequest('user not found');
  const result = chat.id === bot.id ? presentAdministrator(chat) : { user: presentBot(bot), status: 'left' };
  return json({ ok: true, result });
}

function presentAdministrator(chat: Account): JsonObject {
  const canPost = chat.data.canPost === true;
  return {
    user: presentBot(chat),
    status: 'administrator',
    can_be_edited: false,
    can_manage_chat: true,
    can_change_info: false,
    can_post_messages: canPost,
    can_edit_messages: canPost,
    can_delete_messages: canPost,
    can_invite_users: true,
    can_restrict_members: true,
    can_promote_members: false,
    can_manage_video_chats: true,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_manage_direct_messages: false,
    can_send_welcome_messages: false,
    is_anonymous: false,
    can_manage_voice_chats: true,
  };
}
