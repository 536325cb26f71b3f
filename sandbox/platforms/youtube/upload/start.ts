import { randomBytes } from 'node:crypto';
import { empty, type HttpResponse } from '../../../http/http-response.ts';
import { redactHeaders } from '../../../http/redact.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { isVerified } from '../accounts.ts';
import { refuse } from '../errors.ts';
import { readParts } from '../resources.ts';
import { authenticateChannel } from '../sign-in/authenticate.ts';
import { uploading } from '../sign-in/scopes.ts';
import { checkParts, readMetadata } from '../videos/metadata.ts';
import { videoParts } from '../videos/present.ts';
import { countSessions, saveSession } from './sessions.ts';

const dayMs = 86_400_000;
const maxBytes = 256 * 1024 ** 3;
/** Uploads per channel and day. The vendor publishes neither number. */
const uploadsPerDay = { verified: 100, unverified: 10 };

/** Checks all metadata before the first byte is sent. */
export function startUpload(call: Call): HttpResponse {
  const account = authenticateChannel(call, uploading);
  if (call.query.get('uploadType') !== 'resumable') {
    refuse('invalidParameter', { message: 'The sandbox simulates only resumable uploads.', location: 'uploadType' });
  }
  const parts = readParts(call, [...videoParts, 'recordingDetails', 'localizations']);
  checkParts(call.body.fields, parts);
  const metadata = readMetadata(call, account);
  refuseTooMany(call, account);
  const totalBytes = readLength(call);
  const session = saveSession(call.sandbox, {
    id: `ABPtcP${randomBytes(48).toString('base64url')}`,
    accountId: account.id,
    metadata,
    parts,
    request: { headers: redactHeaders(call.headers), fields: call.body.fields },
    startedAt: call.sandbox.now(),
    totalBytes,
    receivedBytes: 0,
    chunks: [],
    videoId: null,
  });
  const parameters = new URLSearchParams(call.query);
  parameters.set('upload_id', session.id);
  return empty(200, {
    location: `https://${call.host}${call.path}?${parameters}`,
    'x-guploader-uploadid': session.id,
  });
}

function refuseTooMany(call: Call, account: Account): void {
  if (call.sandbox.options.rateLimits === 'off') return;
  const limit = isVerified(account) ? uploadsPerDay.verified : uploadsPerDay.unverified;
  if (countSessions(call.sandbox, account.id, call.sandbox.now() - dayMs) >= limit) refuse('uploadLimitExceeded');
}

function readLength(call: Call): number | null {
  const given = call.headers['x-upload-content-length'];
  if (given === undefined) return null;
  const length = Number(given);
  if (!Number.isInteger(length) || length < 1) refuse('mediaBodyRequired');
  if (length > maxBytes) refuse('uploadTooLarge', { message: `Media is too large. Limit: ${maxBytes}` });
  return length;
}
