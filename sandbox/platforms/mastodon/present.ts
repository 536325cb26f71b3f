import type { Json } from '../../http/json.ts';
import { escapeHtml, linkify } from '../../pages/escape.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Media } from '../../store/media.ts';
import type { Post } from '../../store/posts.ts';
import { followCounts } from './follows.ts';
import { isSmall, knowsQuotes } from './hosts.ts';
import { presentPoll } from './poll.ts';

export function presentAccount(call: Call, account: Account) {
  const username = String(account.data.username);
  const { store } = call.sandbox;
  const { followers, following } = followCounts(call.sandbox, account);
  return {
    id: account.id,
    username,
    acct: username,
    display_name: account.displayName,
    locked: false,
    bot: false,
    discoverable: true,
    indexable: false,
    group: false,
    created_at: new Date(account.createdAt).toISOString(),
    note: '',
    url: account.profileUrl,
    uri: `https://${account.data.host}/users/${username}`,
    avatar: account.avatarUrl,
    avatar_static: account.avatarUrl,
    header: `https://${account.data.host}/headers/original/missing.png`,
    header_static: `https://${account.data.host}/headers/original/missing.png`,
    followers_count: followers,
    following_count: following,
    statuses_count: store.posts.countOf('mastodon', account.id),
    last_status_at: null,
    emojis: [],
    fields: [],
  };
}

export function presentStatus(call: Call, post: Post, isNew = false, isQuoted = false): Record<string, unknown> {
  const { store } = call.sandbox;
  const account = store.accounts.find('mastodon', post.accountId);
  const reactions = isNew ? {} : store.reactions.counts(post);
  const { data } = post;
  return {
    id: post.id,
    created_at: new Date(post.createdAt).toISOString(),
    in_reply_to_id: post.inReplyTo,
    in_reply_to_account_id:
      post.inReplyTo === null ? null : (store.posts.find('mastodon', post.inReplyTo)?.accountId ?? null),
    sensitive: data.sensitive,
    spoiler_text: data.spoilerText,
    visibility: data.visibility,
    language: data.language,
    uri: `https://${account?.data.host}/users/${account?.data.username}/statuses/${post.id}`,
    url: post.url,
    replies_count: isNew ? 0 : store.posts.replyCount(post),
    reblogs_count: reactions.reblog ?? 0,
    favourites_count: reactions.favourite ?? 0,
    edited_at: post.editedAt === null ? null : new Date(post.editedAt).toISOString(),
    content: presentText(post.text),
    reblog: null,
    application: data.application,
    account: account ? presentAccount(call, account) : null,
    media_attachments: post.media.flatMap((id, index) => {
      const media = store.media.find('mastodon', id);
      if (!media) return [];
      const own = isSmall(call.host) && { id: `${post.url}_${index}`, url: `https://${call.host}/s/${id}` };
      return [{ ...presentMedia(call, media), ...own }];
    }),
    mentions: [],
    tags: readTags(call, post.text),
    emojis: [],
    card: null,
    poll: presentPoll(post, call.sandbox.now()),
    ...(knowsQuotes(call.host) && {
      quotes_count: reactions.quote ?? 0,
      quote: presentQuote(call, data.quotedId, isQuoted),
      quote_approval: { automatic: ['public'], manual: [], current_user: 'automatic' },
    }),
  };
}

export function presentMedia(call: Call, media: Media) {
  const isReady = call.sandbox.store.media.state(media) === 'ready';
  const { width, height, focus } = media.data;
  const extension = media.type.split('/')[1]?.replace('jpeg', 'jpg') ?? 'bin';
  const url = `https://${call.host}/system/media_attachments/files/${media.id}/original/${media.sha256.slice(0, 16)}.${extension}`;
  const size = { width, height, size: `${width}x${height}`, aspect: Number(width) / Number(height) };
  return {
    id: media.id,
    type: media.kind === 'gif' ? 'gifv' : media.kind,
    url: isReady ? url : null,
    preview_url: isReady ? url : null,
    remote_url: null,
    preview_remote_url: null,
    text_url: null,
    meta: isReady ? { ...(focus ? { focus } : {}), ...(width && height ? { original: size } : {}) } : {},
    description: media.description,
    blurhash: media.kind === 'audio' ? null : 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
  };
}

/** A quote within a quote contains only the id. */
function presentQuote(call: Call, quotedId: Json | undefined, isQuoted: boolean) {
  if (typeof quotedId !== 'string') return null;
  if (isQuoted) return { state: 'accepted', quoted_status_id: quotedId };
  const quoted = call.sandbox.store.posts.find('mastodon', quotedId);
  return quoted
    ? { state: 'accepted', quoted_status: presentStatus(call, quoted, false, true) }
    : { state: 'deleted', quoted_status: null };
}

function presentText(text: string): string {
  if (text === '') return '';
  const paragraphs = text.replaceAll('\r\n', '\n').split(/\n{2,}/);
  return paragraphs.map((paragraph) => `<p>${linkify(escapeHtml(paragraph)).replaceAll('\n', '<br />')}</p>`).join('');
}

function readTags(call: Call, text: string) {
  if (!text.includes('#')) return [];
  const names = new Set(
    Array.from(
      text.matchAll(/(?<![\w/&])#([\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)/gu),
      ([, name]) => name?.toLowerCase() ?? '',
    ),
  );
  return Array.from(names, (name) => ({ name, url: `https://${call.host}/tags/${encodeURIComponent(name)}` }));
}
