import { randomBytes } from 'node:crypto';
import type { Answer } from '../../answer.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { maxVideoBytes, readChunkPlan } from './chunk-plan.ts';
import { refuse, success } from './errors.ts';
import { finish, judgeVideo } from './finish.ts';
import { uploadHost } from './hosts.ts';
import { type PostInfo, readVideoInfo } from './post-info.ts';
import { whyNoPost, whyNoShare } from './posting-caps.ts';
import { newId, startPublication } from './publications.ts';
import { checkOwnership, pull } from './pull.ts';
import { signIn } from './sign-in.ts';

export function initVideo(call: Call): Promise<Answer> {
  const { account } = signIn(call, 'video.publish');
  const postInfo = readVideoInfo(call, account);
  const obstacle = whyNoPost(call, account);
  if (obstacle) refuse(obstacle);
  return init(call, account, postInfo, false);
}

/** The app asks its owner for words and privacy; none are taken here. */
export function initInboxVideo(call: Call): Promise<Answer> {
  const { account } = signIn(call, 'video.upload');
  const obstacle = whyNoShare(call, account);
  if (obstacle) refuse(obstacle);
  return init(call, account, { text: '', title: '', privacy: '' }, true);
}

async function init(call: Call, account: Account, postInfo: PostInfo, isDraft: boolean): Promise<Answer> {
  const sourceInfo = call.body.fields.source_info;
  if (!isObject(sourceInfo)) refuse('invalid_param', 'The source_info is invalid');
  const begun = { accountId: account.id, kind: 'video', isDraft, postInfo } as const;
  switch (sourceInfo.source) {
    case 'FILE_UPLOAD':
      return initUpload(call, begun, sourceInfo);
    case 'PULL_FROM_URL':
      return initPull(call, account, begun, sourceInfo);
    default:
      refuse('invalid_param', 'The source is invalid');
  }
}

type Begun = Omit<Parameters<typeof startPublication>[1], 'source'>;

function initUpload(call: Call, begun: Begun, sourceInfo: JsonObject): Answer {
  const plan = readChunkPlan(sourceInfo);
  const id = newId(call.sandbox);
  const token = randomBytes(16).toString('hex');
  const upload = { id, token, ...plan, receivedBytes: 0, chunks: [] };
  const publication = startPublication(call, { ...begun, source: 'FILE_UPLOAD', upload });
  // The upload's address leads back to it by this.
  call.sandbox.store.records.put('tiktok', 'upload', id, { publicationId: publication.id });
  const upload_url = `https://${uploadHost}/video/?upload_id=${id}&upload_token=${token}`;
  return success({ publish_id: publication.id, upload_url });
}

/** The vendor answers first and pulls then; here the file is fetched before the answer, and processed after it. */
async function initPull(call: Call, account: Account, begun: Begun, sourceInfo: JsonObject): Promise<Answer> {
  const address = checkOwnership(sourceInfo.video_url);
  const judgement = await judgeVideo(call, account, await pull(call, address, maxVideoBytes));
  const publication = startPublication(call, { ...begun, source: 'PULL_FROM_URL' });
  finish(call, publication, account, judgement);
  return success({ publish_id: publication.id });
}
