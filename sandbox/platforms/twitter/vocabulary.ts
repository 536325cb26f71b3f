import type { Call } from '../../platform.ts';
import { refuseValue } from './query-parameters.ts';
import { isOn } from './switches.ts';

/**
 * The API has two names for posts: OpenAPI 2.167 has `post.fields`, and `tweet.fields` still works. A request in one
 * vocabulary gets its response in that vocabulary, and accepts no values of the other.
 */
export interface Vocabulary {
  readonly parameter: 'post.fields' | 'tweet.fields';
  readonly fields: readonly string[];
  readonly expansions: readonly string[];
  readonly note: string;
  readonly references: string;
  readonly editHistory: string;
  readonly repostCount: string;
  /** The list of posts in `includes`. */
  readonly included: string;
}

const commonFields = [
  'attachments',
  'conversation_id',
  'created_at',
  'entities',
  'id',
  'lang',
  'non_public_metrics',
  'organic_metrics',
  'possibly_sensitive',
  'public_metrics',
  'reply_settings',
  'source',
  'text',
];
const commonExpansions = ['attachments.media_keys', 'attachments.poll_ids', 'author_id', 'in_reply_to_user_id'];

/** In this vocabulary, a reference to another object is an expansion, not a field. */
const posts: Vocabulary = {
  parameter: 'post.fields',
  fields: [...commonFields, 'note_post'],
  expansions: [...commonExpansions, 'edit_history_post_ids', 'referenced_posts'],
  note: 'note_post',
  references: 'referenced_posts',
  editHistory: 'edit_history_post_ids',
  repostCount: 'repost_count',
  included: 'posts',
};
const tweets: Vocabulary = {
  parameter: 'tweet.fields',
  fields: [
    ...commonFields,
    'author_id',
    'edit_history_tweet_ids',
    'in_reply_to_user_id',
    'note_tweet',
    'referenced_tweets',
  ],
  expansions: [...commonExpansions, 'edit_history_tweet_ids', 'referenced_tweets.id'],
  note: 'note_tweet',
  references: 'referenced_tweets',
  editHistory: 'edit_history_tweet_ids',
  repostCount: 'retweet_count',
  included: 'tweets',
};

/** The parameters that every call for posts accepts. */
export function presentationParameters(call: Call): string[] {
  const names = ['expansions', 'media.fields', 'place.fields', 'poll.fields', 'user.fields'];
  if (!isOn(call, 'postFieldsOnly')) names.push('tweet.fields');
  if (!isOn(call, 'tweetFieldsOnly')) names.push('post.fields');
  return names;
}

export function vocabularyOf(call: Call): Vocabulary {
  const old = call.query.get('tweet.fields');
  if (old !== null && call.query.has('post.fields')) refuseValue('tweet.fields', old, 'stands beside `post.fields`');
  return old !== null || isOn(call, 'tweetFieldsOnly') ? tweets : posts;
}
