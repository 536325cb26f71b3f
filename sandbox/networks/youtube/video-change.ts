import { type Answer, empty, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { refuse } from './errors.ts';
import { checkParts, objectIn, readSnippet, readStatus } from './metadata.ts';
import { readParts } from './resources.ts';
import { managing } from './scopes.ts';
import { signInChannel } from './sign-in.ts';
import { presentVideo, videoParts } from './video-present.ts';
import { findVideo, isVisibleTo, keepVideo, ownVideo, postOf, privacyOf } from './videos.ts';

/** A part that is sent takes the place of the old one as a whole. */
export function updateVideo(call: Call): Answer {
  const account = signInChannel(call, managing);
  const parts = readParts(call, videoParts);
  const { fields } = call.body;
  checkParts(fields, parts);
  const video = ownVideo(call, account, asText(fields.id));
  const snippet = parts.includes('snippet') ? readSnippet(objectIn(fields, 'snippet')) : {};
  const status = parts.includes('status') ? readStatus(call, account, objectIn(fields, 'status')) : {};
  const changed = keepVideo(call.sandbox, { ...video, metadata: { ...video.metadata, ...snippet, ...status } });
  const post = postOf(call.sandbox, changed);
  const { description, title } = changed.metadata;
  if (post) {
    const data = { ...post.data, title, visibility: privacyOf(call.sandbox, changed) };
    call.sandbox.store.posts.change(post, { text: description, data });
  }
  return json(presentVideo(call.sandbox, changed, parts));
}

export function deleteVideo(call: Call): Answer {
  const account = signInChannel(call, managing);
  const video = ownVideo(call, account, call.query.get('id') ?? '');
  const post = postOf(call.sandbox, video);
  if (post) call.sandbox.store.posts.remove(post);
  call.sandbox.store.records.remove('youtube', 'video', video.id);
  return empty(204);
}

export function rateVideo(call: Call): Answer {
  const account = signInChannel(call, managing);
  const rating = call.query.get('rating') ?? '';
  if (!['like', 'dislike', 'none'].includes(rating)) refuse('invalidRating', { location: 'rating' });
  const video = findVideo(call.sandbox, call.query.get('id') ?? '');
  const post = video && isVisibleTo(call.sandbox, video, account) ? postOf(call.sandbox, video) : undefined;
  if (!post) refuse('videoNotFound', { location: 'id' });
  const { reactions } = call.sandbox.store;
  for (const kind of ['like', 'dislike']) reactions.remove(post, account.id, kind);
  if (rating !== 'none') reactions.add(post, account.id, rating);
  return empty(204);
}
