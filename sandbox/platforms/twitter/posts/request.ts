import { anything, flag, id, list, object, oneOf, text, wholeNumber } from '../body-schema.ts';

/** The body of `POST /2/tweets`. */
export const newPost = object({
  text: text(),
  media: object(
    {
      media_ids: list(id, 1, 4),
      tagged_user_ids: list(id, 0, 10),
      title: text(),
      description: text(),
      embeddable: flag,
      preview_media_id: id,
      call_to_actions: anything,
    },
    ['media_ids'],
  ),
  poll: object(
    {
      options: list(text(25, 1), 2, 4),
      duration_minutes: wholeNumber(5, 10_080),
      reply_settings: oneOf(['following', 'mentionedUsers', 'subscribers', 'verified']),
    },
    ['options', 'duration_minutes'],
  ),
  reply: object(
    { in_reply_to_tweet_id: id, exclude_reply_user_ids: list(id, 0, 50), auto_populate_reply_metadata: flag },
    ['in_reply_to_tweet_id'],
  ),
  quote_tweet_id: id,
  reply_settings: oneOf(['following', 'mentionedUsers', 'subscribers', 'verified']),
  community_id: id,
  share_with_followers: flag,
  for_super_followers_only: flag,
  geo: object({ place_id: text() }),
  direct_message_deep_link: text(),
  card_uri: text(),
  nullcast: flag,
  made_with_ai: flag,
  paid_partnership: flag,
  edit_options: object({ previous_post_id: id }, ['previous_post_id']),
});

/** A post may have at most one of these. */
export const exclusive = ['media', 'poll', 'quote_tweet_id', 'card_uri', 'direct_message_deep_link'];
