import { empty, type HttpResponse, json } from '../../../http/http-response.ts';
import { startProcessing } from '../../../media/media-processing.ts';
import { sniff } from '../../../media/sniff.ts';
import type { Call } from '../../../platform.ts';
import type { StoredFile } from '../../../store/files.ts';
import type { NewMedia } from '../../../store/media.ts';
import { invalidParameter, notFound, refuse } from '../errors.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import { documentType } from './document-type.ts';
import { findUpload, startUpload, type Upload, uploadAddress } from './uploads.ts';

type SingleKind = 'image' | 'document';
type Found = Pick<NewMedia, 'kind' | 'type' | 'data'> & { readonly isAccepted: boolean };

const imageTypes = ['image/jpeg', 'image/png', 'image/gif'];
const maxPixels = 36_152_320;
const maxDocumentBytes = 100 * 1024 * 1024;

/** Images and documents are uploaded in one request. */
export function initialize(kind: SingleKind) {
  return (call: Call): HttpResponse => {
    if (call.query.get('action') !== 'initializeUpload') invalidParameter('action');
    const { urn, expiresAt } = startUpload(call, kind);
    const uploadUrl = uploadAddress(urn, `uploaded-${kind}`);
    return json({ value: { uploadUrlExpiresAt: expiresAt, uploadUrl, [kind]: urn } });
  };
}

/**
 * Every file is accepted; an invalid one fails in processing. A second upload to the same address replaces the file.
 */
export function receive(kind: SingleKind) {
  return async (call: Call): Promise<HttpResponse> => {
    authenticate(call);
    const upload = openUpload(call, `urn:li:${kind}:${call.params.asset}`);
    const { stored } = call.body;
    if (!stored || stored.bytes === 0) refuse(400, 'ILLEGAL_ARGUMENT', 'The uploaded file is empty');
    if (kind === 'document' && stored.bytes > maxDocumentBytes) {
      refuse(413, 'REQUEST_ENTITY_TOO_LARGE', 'The document is over 100 MB');
    }
    const found = await (kind === 'image' ? inspectImage : inspectDocument)(call, stored);
    addFile(call, upload, stored, found);
    return empty(201);
  };
}

export function openUpload(call: Call, urn: string): Upload {
  const upload = findUpload(call, urn) ?? notFound('There is no such upload');
  if (upload.expiresAt <= call.sandbox.now()) refuse(400, 'EXPIRED_UPLOAD_URL', 'The upload URL is expired');
  return upload;
}

export function addFile(call: Call, { urn, ownerId }: Upload, file: StoredFile, found: Found): void {
  const { media } = call.sandbox.store;
  const before = media.find('linkedin', urn);
  if (before) media.remove(before);
  const { readyAt, fails } = startProcessing(call);
  const { isAccepted, ...facts } = found;
  media.add({
    platform: 'linkedin',
    id: urn,
    accountId: ownerId,
    ...facts,
    ...file,
    description: null,
    readyAt,
    fails: fails || !isAccepted,
  });
}

async function inspectImage(call: Call, { sha256 }: StoredFile): Promise<Found> {
  const found = sniff(await call.sandbox.store.files.head(sha256));
  const isImage = found?.kind === 'image' || found?.kind === 'gif';
  const pixels = (found?.width ?? 0) * (found?.height ?? 0);
  return {
    kind: isImage ? found.kind : 'image',
    type: found?.type ?? 'application/octet-stream',
    data: { width: found?.width ?? null, height: found?.height ?? null },
    isAccepted: isImage && imageTypes.includes(found.type) && pixels < maxPixels,
  };
}

async function inspectDocument(call: Call, { sha256 }: StoredFile): Promise<Found> {
  const type = documentType(await call.sandbox.store.files.head(sha256));
  return { kind: 'document', type: type ?? 'application/octet-stream', data: {}, isAccepted: type !== undefined };
}
