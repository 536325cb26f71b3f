import { createReadStream } from 'node:fs';
import { type Answer, json } from '../../answer.ts';
import { fetchFile } from '../../fetch-file.ts';
import { asText } from '../../fields.ts';
import type { JsonObject } from '../../json.ts';
import { type Call, Refusal } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { StoredFile } from '../../store/files.ts';
import { invalid, refuse } from './errors.ts';
import { readInput } from './input.ts';
import { signInAsPage } from './sign-in.ts';
import { checkVideoFile, publishVideo } from './video-publish.ts';
import { findVideo, keepVideo, newVideo, type Video } from './videos.ts';

const dayMs = 24 * 60 * 60_000;
const maxReelsADay = 30;
const maxBytes = 10 * 1024 ** 3;

/** Reels and video stories: an id, the bytes to another host, then the word that it may be shown. */
export function createVertical(kind: 'reel' | 'story') {
  return async (call: Call): Promise<Answer> => {
    const page = signInAsPage(call, call.params.id ?? '', 'pages_manage_posts', 'pages_read_engagement');
    const input = readInput(call);
    const phase = asText(input.upload_phase);
    if (phase === '') invalid('Missing parameter: upload_phase');
    if (phase === 'start') return start(call, page, kind);
    return phase === 'finish'
      ? finish(call, page, kind, input)
      : invalid('Param upload_phase must be one of {START, FINISH}');
  };
}

/** The upload host: the bytes themselves from an offset on, or the address of a file. */
export async function uploadVertical(call: Call): Promise<Answer> {
  const video = findVideo(call, call.params.id ?? '');
  if (!video) return uploadError(404, 'ProcessingFailedError', 'Request processing failed');
  signInAsPage(call, video.pageId, 'pages_manage_posts');
  const address = call.headers.file_url;
  if (typeof address === 'string') return takeAddress(call, video, address);
  const offset = Number(call.headers.offset ?? Number.NaN);
  const size = Number(call.headers.file_size ?? Number.NaN);
  if (!Number.isInteger(offset) || (offset !== 0 && offset !== video.received)) {
    return uploadError(400, 'OffsetInvalidError', 'Request starting offset is invalid');
  }
  const body = call.body.stored;
  if (!body || !Number.isInteger(size) || body.bytes === 0 || offset + body.bytes > size) {
    return uploadError(400, 'PartialRequestError', 'Partial request (did not match length of file)');
  }
  if (offset === 0 && body.bytes === size) {
    keepVideo(call, { ...video, fileSize: size, received: size, sha256: body.sha256 });
    return json({ success: true });
  }
  return takePart(call, { ...video, fileSize: size }, offset, body);
}

async function takeAddress(call: Call, video: Video, address: string): Promise<Answer> {
  const stored = URL.canParse(address) ? await fetchFile(call.sandbox.store.files, address, maxBytes) : 'unreachable';
  if (typeof stored === 'string')
    return uploadError(400, 'ProcessingFailedError', 'Unable to fetch video file from URL.');
  const { bytes, sha256 } = stored;
  keepVideo(call, { ...video, fileSize: bytes, received: bytes, sha256 });
  return json({ success: true });
}

async function takePart(call: Call, video: Video, offset: number, body: StoredFile): Promise<Answer> {
  const { files } = call.sandbox.store;
  const name = `facebook-${video.id}`;
  // From the beginning again: what came before is forgotten.
  if (offset === 0) await files.finish(name);
  let received = 0;
  for await (const chunk of createReadStream(files.path(body.sha256))) received = files.append(name, chunk as Buffer);
  const sha256 = received === video.fileSize ? (await files.finish(name)).sha256 : null;
  keepVideo(call, { ...video, received, sha256 });
  return json({ success: true });
}

function start(call: Call, page: Account, kind: 'reel' | 'story'): Answer {
  const video = newVideo(call, page, kind, null);
  const upload_url = `https://rupload.facebook.com/video-upload/${call.params.version}/${video.id}`;
  return json({ video_id: video.id, upload_url });
}

async function finish(call: Call, page: Account, kind: 'reel' | 'story', input: JsonObject): Promise<Answer> {
  const video = findVideo(call, asText(input.video_id));
  if (!video || video.pageId !== page.id || video.kind !== kind) invalid('Missing parameter: video_id');
  // A second call about the same video changes nothing.
  if (video.state !== 'open') return json({ success: true, post_id: video.postId });
  if (video.sha256 === null) {
    refuse('(#6000) There was a problem uploading your video file. Please try again.', {
      code: 6000,
      subcode: 1363033,
    });
  }
  await checkVideoFile(call, { sha256: video.sha256, bytes: video.received });
  const state = kind === 'story' ? 'PUBLISHED' : asText(input.video_state);
  if (!['PUBLISHED', 'DRAFT', 'SCHEDULED'].includes(state)) invalid('Missing parameter: video_state');
  if (state !== 'PUBLISHED') {
    keepVideo(call, {
      ...video,
      state: state === 'DRAFT' ? 'draft' : 'scheduled',
      description: asText(input.description),
    });
    return json({ success: true });
  }
  checkReelsToday(call, page);
  const published = await publishVideo(call, page, video, input);
  return json({ success: true, post_id: published.postId });
}

/** Only where the sandbox was started with the vendor's limits. */
function checkReelsToday(call: Call, page: Account): void {
  if (call.sandbox.options.rateLimits === 'off') return;
  const since = call.sandbox.now() - dayMs;
  let count = 0;
  for (const post of call.sandbox.store.posts.newest('facebook', page.id)) {
    if (post.createdAt < since) break;
    if (post.data.isReel === true) count += 1;
  }
  if (count >= maxReelsADay) {
    refuse('(#368) The action attempted has been deemed abusive or is otherwise disallowed', {
      code: 368,
      subcode: 1390008,
    });
  }
}

function uploadError(status: number, type: string, message: string): Answer {
  throw new Refusal(json({ debug_info: { retriable: type !== 'ProcessingFailedError', type, message } }, status));
}
