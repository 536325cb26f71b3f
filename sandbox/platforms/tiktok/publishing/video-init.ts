import { randomBytes } from 'node:crypto';
import type { HttpResponse } from '../../../http/http-response.ts';
import { isObject, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { refuse, success } from '../errors.ts';
import { uploadHost } from '../hosts.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import { maxVideoBytes, readChunkPlan } from './chunk-plan.ts';
import { readVideoInfo } from './post-info.ts';
import { checkPostingCaps } from './posting-caps.ts';
import { checkVideo, finishPublication } from './processing.ts';
import { newId, startPublication } from './publications.ts';
import { checkOwnership, pullFromUrl } from './pull-from-url.ts';

export async function initVideo(call: Call): Promise<HttpResponse> {
  const { account } = authenticate(call, 'video.publish');
  const postInfo = readVideoInfo(call, account);
  const refusalCode = checkPostingCaps(call, account);
  if (refusalCode) refuse(refusalCode);
  const sourceInfo = call.body.fields.source_info;
  if (!isObject(sourceInfo)) refuse('invalid_param', 'The source_info is invalid');
  const started = { accountId: account.id, kind: 'video', postInfo } as const;
  switch (sourceInfo.source) {
    case 'FILE_UPLOAD':
      return initUpload(call, started, sourceInfo);
    case 'PULL_FROM_URL':
      return initPull(call, account, started, sourceInfo);
    default:
      refuse('invalid_param', 'The source is invalid');
  }
}

type Started = Omit<Parameters<typeof startPublication>[1], 'source'>;

function initUpload(call: Call, started: Started, sourceInfo: JsonObject): HttpResponse {
  const plan = readChunkPlan(sourceInfo);
  const id = newId(call.sandbox);
  const token = randomBytes(16).toString('hex');
  const upload = { id, token, ...plan, receivedBytes: 0, chunks: [] };
  const publication = startPublication(call, { ...started, source: 'FILE_UPLOAD', upload });
  // The upload address contains only this id.
  call.sandbox.store.records.put('tiktok', 'upload', id, { publicationId: publication.id });
  const upload_url = `https://${uploadHost}/video/?upload_id=${id}&upload_token=${token}`;
  return success({ publish_id: publication.id, upload_url });
}

/**
 * The vendor responds first and then pulls. The sandbox fetches the file before it responds and processes it
 * afterwards.
 */
async function initPull(call: Call, account: Account, started: Started, sourceInfo: JsonObject): Promise<HttpResponse> {
  const address = checkOwnership(sourceInfo.video_url);
  const checked = await checkVideo(call, account, await pullFromUrl(call, address, maxVideoBytes));
  const publication = startPublication(call, { ...started, source: 'PULL_FROM_URL' });
  finishPublication(call, publication, account, checked);
  return success({ publish_id: publication.id });
}
