import type { Operation } from '../../../faults.ts';
import type { HttpResponse } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { refuse } from '../errors.ts';
import { listResponse, readParts } from '../resources.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import { reading } from '../sign-in/scopes.ts';
import { presentVideo, videoParts } from './present.ts';
import { findVideo, isVisibleTo, type Video } from './videos.ts';

const maxIds = 50;

/** Processing status and statistics have the same path. */
export function statusOrStats(call: Call): Operation {
  return call.query.getAll('part').some((value) => value.split(',').includes('statistics')) ? 'stats' : 'status';
}

export function listVideos(call: Call): HttpResponse {
  const caller = authenticate(call, reading);
  const parts = readParts(call, videoParts);
  const ids = (call.query.get('id') ?? '').split(',').filter(Boolean);
  if (ids.length === 0) {
    const message = 'No filter selected. Expected one of: id, chart, myRating';
    refuse('missingRequiredParameter', { message, location: 'parameters.' });
  }
  if (ids.length > maxIds) refuse('invalidParameter', { location: 'id' });
  const found = ids.flatMap((id) => visibleVideo(call, caller, id));
  const isStrangers = found.some(({ accountId }) => accountId !== caller.id);
  if (parts.includes('processingDetails') && isStrangers) refuse('forbidden', { location: 'part' });
  return listResponse(call, 'videoListResponse', found, (video) => presentVideo(call.sandbox, video, parts));
}

function visibleVideo(call: Call, caller: Account, id: string): Video[] {
  const video = findVideo(call.sandbox, id);
  return video && isVisibleTo(call.sandbox, video, caller) ? [video] : [];
}
