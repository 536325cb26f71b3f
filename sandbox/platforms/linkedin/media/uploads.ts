import type { Json, JsonObject } from '../../../http/json.ts';
import { isObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import { randomName } from '../../../store/apps.ts';
import { malformed } from '../errors.ts';
import { idIn, urnOf } from '../rest-li/urn.ts';
import { actAs, authenticate } from '../sign-in/authenticate.ts';
import { publishing } from '../sign-in/scopes.ts';

export type AssetKind = 'image' | 'document' | 'video';

/** An announced upload and its progress. A complete upload also has a file in `store.media`. */
export interface Upload {
  readonly urn: string;
  readonly ownerId: string;
  readonly owner: string;
  readonly expiresAt: number;
  /** The size of a video; 0 for single-part uploads. */
  readonly fileSizeBytes: number;
  /** The uploaded parts of a video, by number. */
  readonly parts: { readonly [number: string]: UploadedPart };
}

type UploadedPart = { readonly sha256: string; readonly etag: string };

const uploadLifeMs = 30 * 86_400_000;

export function startUpload(call: Call, kind: AssetKind, fileSizeBytes = 0): Upload {
  const request = readRequest(call, 'initializeUploadRequest');
  const owner = typeof request.owner === 'string' ? request.owner : '';
  if (owner === '') malformed(['/initializeUploadRequest/owner :: field is required but not found']);
  const account = actAs(call, authenticate(call), owner, {
    gate: publishing,
    resource: `${kind}s.ACTION-initializeUpload`,
    field: 'initializeUploadRequest/owner',
  });
  const upload = {
    urn: `urn:li:${kind}:D4${kind === 'document' ? 'D' : 'E'}10AQ${randomName(12)}`,
    ownerId: account.id,
    owner: urnOf(account),
    expiresAt: call.sandbox.now() + uploadLifeMs,
    fileSizeBytes,
    parts: {},
  };
  saveUpload(call, upload);
  return upload;
}

export function readRequest(call: Call, name: string): JsonObject {
  const request: Json | undefined = call.body.fields[name];
  if (!isObject(request)) malformed([`/${name} :: field is required but not found and has no default value`]);
  return request;
}

export function findUpload(call: Call, urn: string): Upload | undefined {
  const record = call.sandbox.store.records.find('linkedin', 'upload', urn);
  // Only `saveUpload` writes these records.
  return record?.data as Upload | undefined;
}

export function saveUpload(call: Call, upload: Upload): void {
  call.sandbox.store.records.put('linkedin', 'upload', upload.urn, { ...upload }, upload.ownerId);
}

export function uploadAddress(urn: string, purpose: string, part = 0): string {
  const asset = urn.slice(urn.lastIndexOf(':') + 1);
  return `https://www.linkedin.com/dms-uploads/${asset}/${purpose}/${part}?ca=vector_feedshare&cn=uploads&sync=0&v=beta`;
}

export function isAsset(urn: string, kind: AssetKind): boolean {
  return idIn(urn, kind) !== undefined;
}
