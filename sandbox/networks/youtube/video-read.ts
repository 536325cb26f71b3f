import type { Answer } from '../../answer.ts';
import type { Call, Operation } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { refuse } from './errors.ts';
import { etagOf, listAnswer, readParts, resource } from './resources.ts';
import { reading } from './scopes.ts';
import { signIn } from './sign-in.ts';
import { presentSnippet, presentVideo, videoParts } from './video-present.ts';
import { findVideo, isVisibleTo, privacyOf, type Video, videosOf } from './videos.ts';

const maxIds = 50;

/** Processing and numbers have one address. */
export function statusOrStats(call: Call): Operation {
  return call.query.getAll('part').some((value) => value.split(',').includes('statistics')) ? 'stats' : 'status';
}

export function listVideos(call: Call): Answer {
  const caller = signIn(call, reading);
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
  return listAnswer(call, 'videoListResponse', found, (video) => presentVideo(call.sandbox, video, parts));
}

/** The newest first. With `forMine` also what is not public. */
export function search(call: Call): Answer {
  const caller = signIn(call, reading);
  const parts = readParts(call, ['snippet']);
  const isMine = call.query.get('forMine') === 'true';
  if (isMine && call.query.get('type') !== 'video') refuse('invalidParameter', { location: 'type' });
  const channelId = isMine ? caller.id : (call.query.get('channelId') ?? '');
  const words = (call.query.get('q') ?? '').toLowerCase();
  const found = videosOf(call.sandbox, channelId).filter(
    (video) => (isMine || privacyOf(call.sandbox, video) === 'public') && mentions(video, words),
  );
  return listAnswer(call, 'searchListResponse', found, (video) => {
    const { id: _, ...rest } = resource('searchResult', video.id, parts, {
      snippet: () => presentSnippet(call.sandbox, video),
    });
    return { ...rest, etag: etagOf(rest), id: { kind: 'youtube#video', videoId: video.id } };
  });
}

function visibleVideo(call: Call, caller: Account, id: string): Video[] {
  const video = findVideo(call.sandbox, id);
  return video && isVisibleTo(call.sandbox, video, caller) ? [video] : [];
}

function mentions({ metadata }: Video, words: string): boolean {
  return `${metadata.title}\n${metadata.description}`.toLowerCase().includes(words);
}
