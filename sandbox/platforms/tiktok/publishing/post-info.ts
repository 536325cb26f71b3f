import { asText } from '../../../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { isUnaudited, privacyOptions } from '../accounts.ts';
import { refuse } from '../errors.ts';

export interface PostInfo {
  /** The visible text of the post. */
  readonly text: string;
  readonly title: string;
  readonly privacy: string;
}

/** The limits are in UTF-16 code units. */
const maxVideoTitle = 2200;
const maxPhotoTitle = 90;
const maxDescription = 4000;
const flags = [
  'disable_comment',
  'disable_duet',
  'disable_stitch',
  'brand_content_toggle',
  'brand_organic_toggle',
  'auto_add_music',
  'is_aigc',
];

export function readVideoInfo(call: Call, account: Account): PostInfo {
  const info = readInfo(call);
  const title = readText(info, 'title', maxVideoTitle);
  const timestamp = info.video_cover_timestamp_ms;
  if (timestamp !== undefined && !(Number.isInteger(timestamp) && Number(timestamp) >= 0)) {
    refuse('invalid_param', 'video_cover_timestamp_ms must be a number of milliseconds');
  }
  return { text: title, title, privacy: readPrivacy(info, account) };
}

export function readPhotoInfo(call: Call, account: Account): PostInfo {
  const info = readInfo(call);
  const title = readText(info, 'title', maxPhotoTitle);
  const description = readText(info, 'description', maxDescription);
  return { text: description || title, title, privacy: readPrivacy(info, account) };
}

function readInfo(call: Call): JsonObject {
  const info = call.body.fields.post_info;
  if (!isObject(info)) refuse('invalid_param', 'The post_info is invalid');
  const wrong = flags.find((name) => info[name] !== undefined && typeof info[name] !== 'boolean');
  if (wrong !== undefined) refuse('invalid_param', `${wrong} must be a boolean`);
  return info;
}

function readText(info: JsonObject, name: string, max: number): string {
  const value: Json = info[name] ?? '';
  if (typeof value !== 'string') refuse('invalid_param', `The ${name} must be a string`);
  if (value.length > max) refuse('invalid_param', `The ${name} exceeds the limit of ${max} UTF-16 runes`);
  return value;
}

function readPrivacy(info: JsonObject, account: Account): string {
  const privacy = asText(info.privacy_level);
  if (!privacyOptions(account).includes(privacy)) refuse('privacy_level_option_mismatch');
  if (isUnaudited(account) && privacy !== 'SELF_ONLY') refuse('unaudited_client_can_only_post_to_private_accounts');
  if (info.brand_content_toggle === true && privacy === 'SELF_ONLY') {
    refuse('invalid_param', 'Branded content visibility cannot be set to private');
  }
  return privacy;
}
