import { asFlag, asText, asTexts } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import { bearerToken } from '../../oauth/bearer-token.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Media } from '../../store/media.ts';
import type { Post } from '../../store/posts.ts';
import { invalid, refuse } from './errors.ts';
import { isSmall, knowsQuotes, maxCharacters } from './hosts.ts';
import { findMedia, maxAttachments } from './media.ts';
import { readPoll } from './poll.ts';
import { presentStatus } from './present.ts';
import { authenticate } from './sign-in/authenticate.ts';
import { isVisibleTo } from './status-read.ts';
import { countCharacters } from './text-length.ts';

const idempotencyMs = 60 * 60_000;
const visibilities = ['public', 'unlisted', 'private', 'direct'];

export function createStatus(call: Call): HttpResponse {
  const account = authenticate(call, 'write:statuses');
  const { store } = call.sandbox;
  const key = readKey(call);
  const repeated =
    key === null ? undefined : store.posts.findByKey('mastodon', account.id, key, call.sandbox.now() - idempotencyMs);
  if (repeated) return json(presentStatus(call, repeated));

  const { fields } = call.body;
  const text = asText(fields.status);
  const inReplyTo = readParent(call, account);
  const quoted = readQuoted(call, account);
  const media = readAttachments(call, account, asTexts(fields.media_ids));
  const poll = readPoll(fields.poll, call.sandbox.now());
  const spoilerText = asText(fields.spoiler_text);
  checkText(call.host, text, spoilerText, media.length > 0);
  if (poll && media.length > 0) invalid('You cannot attach media to a poll');
  refuseScheduling(call);

  const id = store.ids.snowflake();
  const data: JsonObject = {
    visibility: readVisibility(call),
    spoilerText,
    sensitive: asFlag(fields.sensitive) || spoilerText !== '',
    language: asText(fields.language) || 'en',
    application: applicationOf(call),
    poll,
    quotedId: quoted?.id ?? null,
  };
  const post = store.posts.add(call, {
    id,
    accountId: account.id,
    text,
    media: media.map((one) => one.id),
    inReplyTo,
    url: `https://${call.host}/@${account.data.username}/${id}`,
    createdAt: call.sandbox.now(),
    idempotencyKey: key,
    data,
  });
  for (const one of media) store.media.change(one, { postId: id });
  if (quoted) store.reactions.add(quoted, id, 'quote');
  return json(presentStatus(call, post, true));
}

/** Spoiler and text count together. The text may be empty only with media. */
function checkText(host: string, text: string, spoilerText: string, hasMedia: boolean): void {
  if (text.trim() === '' && spoilerText.trim() === '' && !hasMedia) invalid("Text can't be blank");
  const max = maxCharacters(host);
  if (countCharacters(spoilerText + text) > max) invalid(`Text character limit of ${max} exceeded`);
}

function readAttachments(call: Call, account: Account, ids: readonly string[]): Media[] {
  if (ids.length > maxAttachments) invalid(`Cannot attach more than ${maxAttachments} files`);
  const { media: store } = call.sandbox.store;
  const media = ids.map((id) => {
    const found = findMedia(call, id);
    if (!found || found.accountId !== account.id || found.postId !== null)
      invalid(`Media ${id} not found or already attached to another post`);
    return found;
  });
  const hasPlayable = media.some((one) => one.kind !== 'image');
  if (hasPlayable && media.length > 1) invalid('Cannot attach a video to a post that already contains images');
  if (media.some((one) => store.state(one) !== 'ready')) {
    invalid('Cannot attach files that have not finished processing. Try again in a moment!');
  }
  return media;
}

function readKey(call: Call): string | null {
  const key = call.headers['idempotency-key'];
  return typeof key === 'string' && key !== '' && !isSmall(call.host) ? key : null;
}

function readParent(call: Call, account: Account): string | null {
  const id = asText(call.body.fields.in_reply_to_id);
  if (id === '') return null;
  const parent = call.sandbox.store.posts.find('mastodon', id);
  if (!parent || !isVisibleTo(account, parent))
    refuse(404, 'The post you are trying to reply to does not appear to exist.');
  return parent.id;
}

/** Quotes are counted per quoting status, because an account may quote the same post several times. */
function readQuoted(call: Call, account: Account): Post | null {
  const id = asText(call.body.fields.quoted_status_id);
  if (id === '' || !knowsQuotes(call.host)) return null;
  const quoted = call.sandbox.store.posts.find('mastodon', id);
  if (!quoted || !isVisibleTo(account, quoted))
    refuse(404, 'The post you are trying to quote does not appear to exist.');
  return quoted;
}

function readVisibility(call: Call): string {
  const visibility = asText(call.body.fields.visibility) || 'public';
  if (!visibilities.includes(visibility)) invalid('Visibility is not included in the list');
  return visibility;
}

/** The vendor would publish the status later. The sandbox runs no timers, so it refuses scheduling. */
function refuseScheduling(call: Call): void {
  const at = asText(call.body.fields.scheduled_at);
  if (at === '') return;
  const isSoon = !(Date.parse(at) > call.sandbox.now() + 5 * 60_000);
  invalid(
    isSoon ? 'Scheduled at The scheduled date must be in the future' : 'Scheduled at is not simulated by the sandbox',
  );
}

function applicationOf(call: Call) {
  const clientId = bearerToken(call)?.clientId;
  const app = clientId ? call.sandbox.store.apps.find('mastodon', clientId) : undefined;
  return app ? { name: app.name, website: app.website } : null;
}
