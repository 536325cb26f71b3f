import { asFlag, asText, asTexts } from '../../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import type { Post } from '../../store/posts.ts';
import { invalid } from './errors.ts';

export const pollLimits = {
  max_options: 4,
  max_characters_per_option: 50,
  min_expiration: 300,
  max_expiration: 2_629_746,
};

export function readPoll(value: Json | undefined, now: number): JsonObject | null {
  if (!isObject(value)) return null;
  const options = asTexts(value.options);
  const seconds = Number(asText(value.expires_in));
  const found: string[] = [];
  if (options.length < 2) found.push('Options must be more than one item');
  if (options.length > pollLimits.max_options) found.push("Options can't contain more than 4 items");
  if (options.some((option) => [...option].length > 50)) found.push("Options can't be longer than 50 characters each");
  if (new Set(options).size < options.length) found.push('Options contain duplicate items');
  if (!(seconds >= pollLimits.min_expiration)) found.push('Expires at is too soon');
  if (seconds > pollLimits.max_expiration) found.push('Expires at is too far into the future');
  if (found.length > 0) invalid(...found);
  return {
    options,
    multiple: asFlag(value.multiple),
    hideTotals: asFlag(value.hide_totals),
    expiresAt: now + seconds * 1000,
  };
}

export function presentPoll(post: Post, now: number) {
  const { poll } = post.data;
  if (!isObject(poll)) return null;
  const expiresAt = Number(poll.expiresAt);
  return {
    id: post.id,
    expires_at: new Date(expiresAt).toISOString(),
    expired: expiresAt <= now,
    multiple: poll.multiple,
    votes_count: 0,
    voters_count: 0,
    options: asTexts(poll.options).map((title) => ({ title, votes_count: 0 })),
    emojis: [],
  };
}
