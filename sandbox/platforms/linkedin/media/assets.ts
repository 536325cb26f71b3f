import { file, type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Media } from '../../../store/media.ts';
import { denied, notFound } from '../errors.ts';
import { authenticate, mayActFor, requireScope } from '../sign-in/authenticate.ts';
import { type AssetKind, findUpload, isAsset } from './uploads.ts';

type Status = 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED';

/** A member's permission allows writing images and documents but not reading them. Videos are readable. */
const readable = ['w_organization_social', 'r_organization_social', 'rw_organization_admin', 'r_organization_admin'];

export function showAsset(kind: AssetKind) {
  return (call: Call): HttpResponse => {
    const caller = authenticate(call);
    if (kind !== 'video') requireScope(call, caller, readable, `${kind}s.GET`);
    const urn = call.params.urn ?? '';
    const upload = isAsset(urn, kind) ? findUpload(call, urn) : undefined;
    if (!upload) notFound(`The ${kind} could not be found`);
    if (!mayActFor(call, caller, upload.ownerId)) denied(call, `${kind}s.GET`);
    const media = call.sandbox.store.media.find('linkedin', urn);
    const status = statusOf(call, media);
    return json({
      id: urn,
      owner: upload.owner,
      status,
      ...(status === 'AVAILABLE' && { downloadUrl: downloadAddress(urn), downloadUrlExpiresAt: upload.expiresAt }),
      ...(status === 'PROCESSING_FAILED' && kind === 'video' && { processingFailureReason: 'UNSUPPORTED_FORMAT' }),
    });
  };
}

export function statusOf(call: Call, media: Media | undefined): Status {
  if (!media) return 'WAITING_UPLOAD';
  const states = { processing: 'PROCESSING', ready: 'AVAILABLE', failed: 'PROCESSING_FAILED' } as const;
  return states[call.sandbox.store.media.state(media)];
}

export function assetFile(call: Call): HttpResponse {
  const media = call.sandbox.store.media.find('linkedin', call.params.urn ?? '');
  return media ? file(call.sandbox.store.files.path(media.sha256), media.type) : notFound();
}

function downloadAddress(urn: string): string {
  return `https://media.licdn.com/dms/asset/${encodeURIComponent(urn)}`;
}
