import { type Answer, json } from '../../answer.ts';
import { asFlag, asText, asTexts } from '../../fields.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { presentStatus } from './present.ts';
import { signIn } from './sign-in.ts';
import { checkText, readAttachments } from './status-create.ts';
import { findOwnStatus, findVisible } from './status-read.ts';

/** What is left out stays, except text and spoiler, which the vendor clears. */
export function editStatus(call: Call): Answer {
  const account = signIn(call, 'write:statuses');
  const post = findOwnStatus(call, account);
  const { fields } = call.body;
  const { media: store } = call.sandbox.store;
  const ids = fields.media_ids === undefined ? post.media : asTexts(fields.media_ids);
  const media = readAttachments(call, account, ids, post.id);
  const text = asText(fields.status);
  const spoilerText = asText(fields.spoiler_text);
  checkText(call.host, text, spoilerText, media.length > 0);
  for (const one of media) store.change(one, { postId: post.id });
  const data = {
    ...post.data,
    spoilerText,
    sensitive: asFlag(fields.sensitive) || spoilerText !== '',
    language: asText(fields.language) || (post.data.language ?? 'en'),
  };
  const edited = call.sandbox.store.posts.change(post, { text, media: media.map((one) => one.id), data });
  return json(presentStatus(call, edited));
}

/** Answers with the source, for "delete and redraft"; the media may be attached again unless they go too. */
export function deleteStatus(call: Call): Answer {
  const account = signIn(call, 'write:statuses');
  const post = findOwnStatus(call, account);
  const answer = { ...presentStatus(call, post), text: post.text };
  const deletesMedia = asFlag(call.query.get('delete_media') ?? asText(call.body.fields.delete_media));
  const { media: store, posts, reactions } = call.sandbox.store;
  for (const media of mediaOf(call, post)) {
    if (deletesMedia) store.remove(media);
    else store.change(media, { postId: null });
  }
  const quoted = typeof post.data.quotedId === 'string' && posts.find('mastodon', post.data.quotedId);
  if (quoted) reactions.remove(quoted, post.id, 'quote');
  posts.remove(post);
  return json(answer);
}

export function react(kind: 'favourite' | 'reblog', isOn: boolean) {
  return (call: Call): Answer => {
    const account = signIn(call, kind === 'reblog' ? 'write:statuses' : 'write:favourites');
    const post = findVisible(call, account);
    const { reactions, ids } = call.sandbox.store;
    if (isOn) reactions.add(post, account.id, kind);
    else reactions.remove(post, account.id, kind);
    const status = { ...presentStatus(call, post), [kind === 'reblog' ? 'reblogged' : 'favourited']: isOn };
    // A boost is a status of its own that wraps the other.
    return json(kind === 'reblog' && isOn ? { ...status, id: ids.snowflake(), reblog: status } : status);
  };
}

function mediaOf(call: Call, post: Post) {
  return post.media.flatMap((id) => call.sandbox.store.media.find('mastodon', id) ?? []);
}
