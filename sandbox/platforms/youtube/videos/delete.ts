import { empty, type HttpResponse } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import { authenticateChannel } from '../sign-in/authenticate.ts';
import { managing } from '../sign-in/scopes.ts';
import { ownVideo, postOf } from './videos.ts';

export function deleteVideo(call: Call): HttpResponse {
  const account = authenticateChannel(call, managing);
  const video = ownVideo(call, account, call.query.get('id') ?? '');
  const post = postOf(call.sandbox, video);
  if (post) call.sandbox.store.posts.remove(post);
  call.sandbox.store.records.remove('youtube', 'video', video.id);
  return empty(204);
}
