import type { Json, JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { randomName } from '../../store/apps.ts';
import { malformed } from './errors.ts';
import { publishing } from './scopes.ts';
import { actAs, signIn } from './sign-in.ts';
import { idIn, urnOf } from './urn.ts';

export type AssetKind = 'image' | 'document' | 'video';

/** What was announced, and how far it has come. Once it is complete there is also a file in `store.media`. */
export interface Upload {
  readonly urn: string;
  readonly ownerId: string;
  readonly owner: string;
  readonly expiresAt: number;
  /** Of a video; 0 for what comes in one piece. */
  readonly fileSizeBytes: number;
  /** The pieces of a video that have arrived, by number. */
  readonly parts: { readonly [number: string]: UploadedPart };
}

type UploadedPart = { readonly sha256: string; readonly etag: string };

const uploadLifeMs = 30 * 86_400_000;

export function startUpload(call: Call, kind: AssetKind, fileSizeBytes = 0): Upload {
  const request = readRequest(call, 'initializeUploadRequest');
  const owner = typeof request.owner === 'string' ? request.owner : '';
  if (owner === '') malformed(['/initializeUploadRequest/owner :: field is required but not found']);
  const account = actAs(call, signIn(call), owner, {
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
  keepUpload(call, upload);
  return upload;
}

export function readRequest(call: Call, name: string): JsonObject {
  const request: Json | undefined = call.body.fields[name];
  if (!isObject(request)) malformed([`/${name} :: field is required but not found and has no default value`]);
  return request;
}

export function findUpload(call: Call, urn: string): Upload | undefined {
  const record = call.sandbox.store.records.find('linkedin', 'upload', urn);
  // Only `keepUpload` writes these.
  return record?.data as Upload | undefined;
}

export function keepUpload(call: Call, upload: Upload): void {
  call.sandbox.store.records.put('linkedin', 'upload', upload.urn, { ...upload }, upload.ownerId);
}

export function uploadAddress(urn: string, purpose: string, part = 0): string {
  const asset = urn.slice(urn.lastIndexOf(':') + 1);
  return `https://www.linkedin.com/dms-uploads/${asset}/${purpose}/${part}?ca=vector_feedshare&cn=uploads&sync=0&v=beta`;
}

export function isAsset(urn: string, kind: AssetKind): boolean {
  return idIn(urn, kind) !== undefined;
}
