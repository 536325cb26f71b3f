import { asFlag, asText } from '../../http/coerce.ts';
import { type HttpResponse, html, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Post } from '../../store/posts.ts';
import { isSmall } from './hosts.ts';
import { presentStatus } from './present.ts';
import { authenticate } from './sign-in/authenticate.ts';
import { findOwnStatus } from './status-read.ts';

/** Returns the source text for "delete and redraft". The media can be attached again unless they are deleted too. */
export function deleteStatus(call: Call): HttpResponse {
  if (isSmall(call.host)) return html('<h1>404 Not Found</h1>', 404);
  const account = authenticate(call, 'write:statuses');
  const post = findOwnStatus(call, account);
  const response = { ...presentStatus(call, post), text: post.text };
  const deletesMedia = asFlag(call.query.get('delete_media') ?? asText(call.body.fields.delete_media));
  const { media: store, posts, reactions } = call.sandbox.store;
  for (const media of mediaOf(call, post)) {
    if (deletesMedia) store.remove(media);
    else store.change(media, { postId: null });
  }
  const quoted = typeof post.data.quotedId === 'string' && posts.find('mastodon', post.data.quotedId);
  if (quoted) reactions.remove(quoted, post.id, 'quote');
  posts.remove(post);
  return json(response);
}

function mediaOf(call: Call, post: Post) {
  return post.media.flatMap((id) => call.sandbox.store.media.find('mastodon', id) ?? []);
}
