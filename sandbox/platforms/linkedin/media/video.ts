import { readFileSync } from 'node:fs';
import { asTexts } from '../../../http/coerce.ts';
import { empty, type HttpResponse, json } from '../../../http/http-response.ts';
import { sniff } from '../../../media/sniff.ts';
import type { Call } from '../../../platform.ts';
import type { StoredFile } from '../../../store/files.ts';
import { invalidField, invalidParameter, notFound, refuse } from '../errors.ts';
import { authenticate, mayActFor } from '../sign-in/authenticate.ts';
import { addFile, openUpload } from './single-part.ts';
import { findUpload, readRequest, saveUpload, startUpload, type Upload, uploadAddress } from './uploads.ts';

const partBytes = 4 * 1024 * 1024;
const maxVideoBytes = 500 * 1024 * 1024;

export function videoAction(call: Call): HttpResponse | Promise<HttpResponse> {
  const action = call.query.get('action');
  if (action === 'initializeUpload') return initializeVideo(call);
  return action === 'finalizeUpload' ? finalizeVideo(call) : invalidParameter('action');
}

export function receivePart(call: Call): HttpResponse {
  const upload = openUpload(call, `urn:li:video:${call.params.asset}`);
  const number = Number(call.params.part);
  const range = rangesOf(upload.fileSizeBytes)[number] ?? notFound('There is no such part');
  const { stored } = call.body;
  if (stored?.bytes !== range.lastByte - range.firstByte + 1) {
    refuse(400, 'ILLEGAL_ARGUMENT', `The part must hold the bytes ${range.firstByte} to ${range.lastByte}`);
  }
  const { sha256 } = stored;
  const etag = `/ambry-video/signedId/${call.params.asset}-${number}-${sha256.slice(0, 24)}`;
  saveUpload(call, { ...upload, parts: { ...upload.parts, [number]: { sha256, etag } } });
  return empty(200, { etag });
}

function initializeVideo(call: Call): HttpResponse {
  authenticate(call);
  const { fileSizeBytes } = readRequest(call, 'initializeUploadRequest');
  const field = 'initializeUploadRequest/fileSizeBytes';
  if (typeof fileSizeBytes !== 'number' || !Number.isInteger(fileSizeBytes) || fileSizeBytes < 1) {
    invalidField('INVALID_VALUE_FOR_FIELD', field, 'The size of the file must be a number of bytes');
  }
  if (fileSizeBytes > maxVideoBytes) {
    invalidField('INVALID_VALUE_FOR_FIELD', field, 'The size of the file must not be over 500 MB');
  }
  const { urn, expiresAt } = startUpload(call, 'video', fileSizeBytes);
  return json({
    value: {
      uploadUrlsExpireAt: expiresAt,
      video: urn,
      uploadToken: '',
      uploadInstructions: rangesOf(fileSizeBytes).map((range, number) => ({
        uploadUrl: uploadAddress(urn, 'uploaded-video', number),
        ...range,
      })),
    },
  });
}

/** A repeated call after success changes nothing. */
async function finalizeVideo(call: Call): Promise<HttpResponse> {
  const caller = authenticate(call);
  const request = readRequest(call, 'finalizeUploadRequest');
  const upload = findUpload(call, String(request.video));
  if (!upload || !mayActFor(call, caller, upload.ownerId)) {
    invalidField('INVALID_VIDEO_ID', 'finalizeUploadRequest/video', 'This Video ID is invalid');
  }
  if (request.uploadToken !== '') {
    invalidField('INVALID_VALUE_FOR_FIELD', 'finalizeUploadRequest/uploadToken', 'The upload token is invalid');
  }
  const parts = partsInOrder(upload);
  const given = asTexts(request.uploadedPartIds);
  if (given.length !== parts.length || parts.some(({ etag }, number) => etag !== given[number])) {
    const message = 'The part ids must be those of all parts, in order';
    invalidField('INVALID_VALUE_FOR_FIELD', 'finalizeUploadRequest/uploadedPartIds', message);
  }
  if (!call.sandbox.store.media.find('linkedin', upload.urn)) await completeVideo(call, upload, parts);
  return empty(200);
}

async function completeVideo(call: Call, upload: Upload, parts: readonly { sha256: string }[]): Promise<void> {
  const file = await join(call, upload, parts);
  const type = sniff(await call.sandbox.store.files.head(file.sha256))?.type ?? 'application/octet-stream';
  addFile(call, upload, file, { kind: 'video', type, data: {}, isAccepted: type === 'video/mp4' });
}

function join(call: Call, { urn }: Upload, parts: readonly { sha256: string }[]): Promise<StoredFile> {
  const { files, ids } = call.sandbox.store;
  const name = `${urn}-${ids.snowflake()}`;
  for (const { sha256 } of parts) files.append(name, readFileSync(files.path(sha256)));
  return files.finish(name);
}

function partsInOrder({ parts, fileSizeBytes }: Upload) {
  return rangesOf(fileSizeBytes).map(
    (_, number) => parts[number] ?? refuse(400, 'MEDIA_ASSET_WAITING_UPLOAD', 'Media asset is waiting upload'),
  );
}

function rangesOf(fileSizeBytes: number): { firstByte: number; lastByte: number }[] {
  return Array.from({ length: Math.ceil(fileSizeBytes / partBytes) }, (_, number) => ({
    firstByte: number * partBytes,
    lastByte: Math.min((number + 1) * partBytes, fileSizeBytes) - 1,
  }));
}
