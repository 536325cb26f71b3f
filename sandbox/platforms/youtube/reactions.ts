import { empty, type HttpResponse } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { refuse } from './errors.ts';
import { authenticateChannel } from './sign-in/authenticate.ts';
import { managing } from './sign-in/scopes.ts';
import { findVideo, isVisibleTo, postOf } from './videos/videos.ts';

export function rateVideo(call: Call): HttpResponse {
  const account = authenticateChannel(call, managing);
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
