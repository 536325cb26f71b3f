import { noBody } from '../../body.ts';
import { filmSeconds } from '../../film.ts';
import type { Call } from '../../network.ts';
import { startProcessing } from '../../processing.ts';
import { sniff } from '../../sniff.ts';
import { randomName } from '../../store/apps.ts';
import type { StoredFile } from '../../store/files.ts';
import { isVerified } from './accounts.ts';
import { siteHost } from './hosts.ts';
import type { Session } from './sessions.ts';
import { isBroken, keepVideo, privacyOf, type Video } from './videos.ts';

const maxSeconds = { verified: 12 * 60 * 60, unverified: 15 * 60 };

type Judgement = Pick<Video, 'seconds' | 'failureReason' | 'rejectionReason'> & { readonly type: string };

/** What processing will find. */
export async function judge(call: Call, session: Session, file: StoredFile): Promise<Judgement> {
  const { files, accounts } = call.sandbox.store;
  const found = sniff(await files.head(file.sha256));
  if (found?.kind !== 'video') {
    return { type: 'application/octet-stream', seconds: null, failureReason: 'invalidFile', rejectionReason: null };
  }
  const seconds = filmSeconds(files.path(file.sha256));
  const account = accounts.find('youtube', session.accountId);
  const longest = account && isVerified(account) ? maxSeconds.verified : maxSeconds.unverified;
  const rejectionReason = seconds !== null && seconds > longest ? 'length' : null;
  return { type: found.type, seconds, failureReason: null, rejectionReason };
}

/** The last byte is there, and with it the video. One that fails has no post: nobody will see it. */
export function addVideo(call: Call, session: Session, file: StoredFile, { type, ...judgement }: Judgement): Video {
  const { readyAt, fails } = startProcessing(call);
  const video: Video = {
    id: randomName(8),
    accountId: session.accountId,
    metadata: session.metadata,
    file,
    uploadedAt: call.sandbox.now(),
    readyAt,
    thumbnail: null,
    ...judgement,
    ...(fails && { failureReason: 'conversion' }),
  };
  if (!isBroken(video)) addPost(call, session, video, type);
  return keepVideo(call.sandbox, video);
}

function addPost(call: Call, { request }: Session, video: Video, type: string): void {
  const { store } = call.sandbox;
  const { id, accountId, metadata, file, readyAt, uploadedAt } = video;
  const media = { network: 'youtube', id, accountId, kind: 'video', type, ...file } as const;
  store.media.add({ ...media, description: null, readyAt, fails: false, data: {} });
  // Kept with the call that said what the video is to be; this one is a piece of the film.
  const startCall = { ...call, headers: request.headers, body: { ...noBody, fields: request.fields } };
  store.posts.add(startCall, {
    id,
    accountId,
    text: metadata.description,
    media: [id],
    inReplyTo: null,
    url: `https://${siteHost}/watch?v=${id}`,
    createdAt: uploadedAt,
    data: { kind: 'video', title: metadata.title, visibility: privacyOf(call.sandbox, video) },
  });
}
