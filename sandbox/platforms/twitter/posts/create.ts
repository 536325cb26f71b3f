import { createHash } from 'node:crypto';
import type { Operation } from '../../../faults.ts';
import { asText, asTexts } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { isObject, type JsonObject } from '../../../http/json.ts';
import { type Call, Refusal } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Media } from '../../../store/media.ts';
import type { Post } from '../../../store/posts.ts';
import { readJsonBody } from '../body-schema.ts';
import { forbid, invalid, problem, problemType } from '../errors.ts';
import { isExpired } from '../media/present.ts';
import { authenticate, writeScopes } from '../sign-in/authenticate.ts';
import { isOn } from '../switches.ts';
import { countCashtags, displayText, shortPostWeight } from '../text/display-text.ts';
import { weightedLength } from '../text/text-length.ts';
import { vocabularyOf } from '../vocabulary.ts';
import { exclusive, newPost } from './request.ts';

const duplicateMs = 24 * 60 * 60_000;
const longPostWeight = 25_000;
/** The vendor's text library rejects these characters. */
const forbiddenCharacters = /[\uFFFE\uFEFF\uFFFF]/;

export function createPost(call: Call): HttpResponse {
  const account = authenticate(call, writeScopes);
  const body = readJsonBody(call, newPost);
  checkCombination(body);
  const media = readMedia(call, account, body);
  const parent = readParent(call, account, body);
  const quoted = readQuoted(call, account, body);
  const text = asText(body.text);
  checkText(account, text);
  const fingerprint = fingerprintOf(text, media);
  refuseDuplicate(call, account, fingerprint);

  const { store, now } = call.sandbox;
  const id = store.ids.snowflake();
  const post = store.posts.add(call, {
    id,
    accountId: account.id,
    text,
    media: media.map((one) => one.id),
    inReplyTo: parent?.id ?? null,
    url: `https://x.com/${account.handle}/status/${id}`,
    createdAt: now(),
    idempotencyKey: fingerprint,
    data: {
      conversationId: parent ? asText(parent.data.conversationId) : id,
      quotedId: quoted?.id ?? null,
      replySettings: asText(body.reply_settings) || 'everyone',
      poll: body.poll ?? null,
    },
  });
  for (const one of media) store.media.change(one, { postId: id });
  if (quoted) store.reactions.add(quoted, id, 'quote');
  return json({ data: { id, text: displayText(call, post).text, [vocabularyOf(call).editHistory]: [id] } }, 201);
}

/** A reply is also a post, so a fault on `publish` applies to it. */
export function publishOrComment(call: Call): readonly Operation[] {
  return call.body.fields.reply === undefined ? ['publish'] : ['comment', 'publish'];
}

function checkCombination(body: JsonObject): void {
  const given = exclusive.filter((name) => body[name] !== undefined);
  if (given.length > 1) invalid(`$: only one of [${given.join(', ')}] can be present`);
  if (asText(body.text).trim() === '' && body.media === undefined) {
    invalid('One of [text, media] must be present and not empty', { text: [asText(body.text)] });
  }
  // The sandbox has neither editing, which needs a paid plan, nor communities.
  if (body.edit_options !== undefined || body.community_id !== undefined) {
    forbid('You are not permitted to perform this action.');
  }
}

/** A post has up to four images, one GIF or one video. They must be the caller's own, processed and not expired. */
function readMedia(call: Call, account: Account, body: JsonObject): Media[] {
  const ids = isObject(body.media) ? asTexts(body.media.media_ids) : [];
  const { media: store } = call.sandbox.store;
  const media = ids.flatMap((id) => store.find('twitter', id) ?? []);
  const isUsable = (one: Media) =>
    one.accountId === account.id && store.state(one) === 'ready' && !isExpired(one, call.sandbox.now());
  const isMixed = media.length > 1 && media.some((one) => one.kind !== 'image');
  if (media.length < ids.length || isMixed || !media.every(isUsable)) {
    invalid('Your media IDs are invalid.', { 'media.media_ids': ids });
  }
  return media;
}

/**
 * An account may reply to its own posts and to authors who mention or quote it. X documents only the latter two
 * (changelog of 2026-02-23), which the switch enforces.
 */
function readParent(call: Call, account: Account, body: JsonObject): Post | null {
  if (!isObject(body.reply)) return null;
  const parent = call.sandbox.store.posts.find('twitter', asText(body.reply.in_reply_to_tweet_id));
  if (!parent) forbid('You attempted to reply to a Tweet that is deleted or not visible to you.');
  if (mentions(parent, account) || quotes(call, parent, account)) return parent;
  if (isOn(call, 'summonedRepliesOnly')) {
    forbid(
      'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
    );
  }
  if (parent.accountId !== account.id) {
    const detail = 'You can only reply to or quote posts where you are mentioned or are the author.';
    const type = problemType('not-authorized-for-resource');
    throw new Refusal(problem(403, 'Authorization Error', detail, { type }));
  }
  return parent;
}

function readQuoted(call: Call, account: Account, body: JsonObject): Post | null {
  if (body.quote_tweet_id === undefined) return null;
  const quoted = call.sandbox.store.posts.find('twitter', asText(body.quote_tweet_id));
  if (!quoted) forbid('You attempted to quote a Tweet that is deleted or not visible to you.');
  if (quoted.accountId !== account.id && !mentions(quoted, account)) {
    forbid('You are not permitted to perform this action.');
  }
  return quoted;
}

function checkText(account: Account, text: string): void {
  if (forbiddenCharacters.test(text)) invalid('$.text: holds characters that are not allowed', { text: [text] });
  const longest = account.premium ? longPostWeight : shortPostWeight;
  if (weightedLength(text) > longest) forbid('You are not permitted to perform this action.');
  if (countCashtags(text) > 1) forbid('Posts are limited to a maximum of one cashtag');
}

function refuseDuplicate(call: Call, account: Account, fingerprint: string): void {
  const { store, now } = call.sandbox;
  const earlier = store.posts.findByKey('twitter', account.id, fingerprint, now() - duplicateMs);
  if (earlier) forbid('You are not allowed to create a Tweet with duplicate content.');
}

/** The same text with another image is a different post. */
function fingerprintOf(text: string, media: readonly Media[]): string {
  const content = [text.normalize('NFC').trim(), ...media.map((one) => one.sha256)];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function mentions(post: Post, account: Account): boolean {
  return new RegExp(`(?<![\\w@])@${account.handle}(?!\\w)`, 'i').test(post.text);
}

function quotes(call: Call, post: Post, account: Account): boolean {
  const quoted = call.sandbox.store.posts.find('twitter', asText(post.data.quotedId));
  return quoted?.accountId === account.id;
}
