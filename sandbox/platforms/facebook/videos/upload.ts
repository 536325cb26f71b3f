import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { JsonObject } from '../../../http/json.ts';
import { fetchFile } from '../../../media/fetch-file.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { StoredFile } from '../../../store/files.ts';
import { invalid, refuse } from '../errors.ts';
import { isPublished, readInput } from '../input.ts';
import { authenticateAsPage } from '../sign-in/authenticate.ts';
import { checkVideoFile, publishVideo } from './publish.ts';
import { findVideo, newVideo, saveVideo, type Video } from './videos.ts';

const chunkBytes = 1024 * 1024;
const gigabyte = 1024 ** 3;
const maxBytesAtOnce = gigabyte;
const maxBytes = 10 * gigabyte;

/** Accepts a video in one call, from the body or from an address, or in phases, chunk by chunk. */
export async function createVideo(call: Call): Promise<HttpResponse> {
  const page = authenticateAsPage(call, call.params.id ?? '', 'pages_manage_posts', 'pages_read_engagement');
  const input = readInput(call);
  switch (asText(input.upload_phase)) {
    case '':
      return atOnce(call, page, input);
    case 'start':
      return start(call, page, input);
    case 'transfer':
      return transfer(call, page, input);
    case 'finish':
      return finish(call, page, input);
    default:
      return invalid('Param upload_phase must be one of {start, transfer, finish, cancel}');
  }
}

async function atOnce(call: Call, page: Account, input: JsonObject): Promise<HttpResponse> {
  const stored = await readFile(call, input);
  const type = await checkVideoFile(call, stored);
  const video = { ...newVideo(call, page, stored.bytes), received: stored.bytes, sha256: stored.sha256 };
  close(call, page, video, type, input);
  return json({ id: video.id });
}

async function readFile(call: Call, input: JsonObject): Promise<StoredFile> {
  const { files } = call.sandbox.store;
  const upload = call.body.uploads.source ?? Object.values(call.body.uploads)[0];
  if (upload) return files.save(upload.bytes);
  const address = asText(input.file_url);
  if (address === '') refuse('(#100) No video file was selected.', { code: 100, subcode: 1363021 });
  const stored = URL.canParse(address) ? await fetchFile(files, address, maxBytesAtOnce) : 'unreachable';
  if (stored === 'too_large') tooLarge();
  return stored === 'unreachable' ? refuse('(#389) Unable to fetch video file from URL.', { code: 389 }) : stored;
}

function start(call: Call, page: Account, input: JsonObject): HttpResponse {
  const size = Number(asText(input.file_size));
  if (!Number.isInteger(size) || size <= 0) invalid('Param file_size must be greater than 0');
  if (size > maxBytes) tooLarge();
  const video = newVideo(call, page, size);
  return json({ video_id: video.id, upload_session_id: video.id, ...offsets(video) });
}

async function transfer(call: Call, page: Account, input: JsonObject): Promise<HttpResponse> {
  const video = findSession(call, page, input);
  const chunk = call.body.uploads.video_file_chunk;
  if (!chunk || chunk.bytes.length === 0) invalid('Param video_file_chunk must be a file');
  if (asText(input.start_offset) !== String(video.received)) {
    refuse('(#6000) There was a problem uploading your video file. Please try again.', {
      code: 6000,
      subcode: 1363037,
      data: offsets(video),
    });
  }
  const size = video.fileSize;
  if (video.received + chunk.bytes.length > size) {
    refuse('(#6000) The size of your video file does not match what was announced.', { code: 6000, subcode: 1363045 });
  }
  const { files } = call.sandbox.store;
  const received = files.append(partName(video), chunk.bytes);
  if (received < size) return json(offsets(saveVideo(call, { ...video, received })));
  const stored = await files.finish(partName(video));
  return json(offsets(saveVideo(call, { ...video, received, sha256: stored.sha256 })));
}

async function finish(call: Call, page: Account, input: JsonObject): Promise<HttpResponse> {
  const video = findSession(call, page, input);
  if (video.sha256 === null) {
    refuse('(#6000) There was a problem uploading your video file. Please try again.', {
      code: 6000,
      subcode: 1363045,
    });
  }
  // A repeated call for the same session changes nothing.
  if (video.state === 'open') {
    const type = await checkVideoFile(call, { sha256: video.sha256, bytes: video.received });
    // The repeated call may have come at the same time.
    if (findSession(call, page, input).state === 'open') close(call, page, video, type, input);
  }
  return json({ success: true });
}

function close(call: Call, page: Account, video: Video, type: string, input: JsonObject) {
  if (isPublished(input)) publishVideo(call, page, video, type, input);
  else saveVideo(call, { ...video, state: 'draft', description: asText(input.description) });
}

function findSession(call: Call, page: Account, input: JsonObject): Video {
  const video = findVideo(call, asText(input.upload_session_id));
  if (video?.pageId === page.id) return video;
  refuse('(#6000) Your upload session has expired. Please start again.', { code: 6000, subcode: 1363041 });
}

/** The range of the next chunk. Both numbers are equal when no chunk is left. */
function offsets(video: Video): JsonObject {
  const end = Math.min(video.received + chunkBytes, video.fileSize);
  return { start_offset: String(video.received), end_offset: String(end) };
}

function partName(video: Video): string {
  return `facebook-${video.id}`;
}

function tooLarge(): never {
  refuse('(#352) The video you are trying to upload is too big.', { code: 352, subcode: 1363023 });
}
