import { noBody } from '../../../http/request-body.ts';
import { startProcessing } from '../../../media/media-processing.ts';
import { mp4Seconds } from '../../../media/mp4-metadata.ts';
import { sniff } from '../../../media/sniff.ts';
import type { Call } from '../../../platform.ts';
import { randomName } from '../../../store/apps.ts';
import type { StoredFile } from '../../../store/files.ts';
import { isVerified } from '../accounts.ts';
import { siteHost } from '../hosts.ts';
import type { Session } from '../upload/sessions.ts';
import { isBroken, privacyOf, saveVideo, type Video } from './videos.ts';

const maxSeconds = { verified: 12 * 60 * 60, unverified: 15 * 60 };

type Inspection = Pick<Video, 'seconds' | 'failureReason' | 'rejectionReason'> & { readonly type: string };

/** Predicts the result of processing. */
export async function inspectVideo(call: Call, session: Session, file: StoredFile): Promise<Inspection> {
  const { files, accounts } = call.sandbox.store;
  const found = sniff(await files.head(file.sha256));
  if (found?.kind !== 'video') {
    return { type: 'application/octet-stream', seconds: null, failureReason: 'invalidFile', rejectionReason: null };
  }
  const seconds = mp4Seconds(files.path(file.sha256));
  const account = accounts.find('youtube', session.accountId);
  const longest = account && isVerified(account) ? maxSeconds.verified : maxSeconds.unverified;
  const rejectionReason = seconds !== null && seconds > longest ? 'length' : null;
  return { type: found.type, seconds, failureReason: null, rejectionReason };
}

/**
 * Creates the video when the last byte has arrived. A video that fails has no post, because it never becomes visible.
 */
export function addVideo(call: Call, session: Session, file: StoredFile, { type, ...inspection }: Inspection): Video {
  const { readyAt, fails } = startProcessing(call);
  const video: Video = {
    id: randomName(8),
    accountId: session.accountId,
    metadata: session.metadata,
    file,
    uploadedAt: call.sandbox.now(),
    readyAt,
    thumbnail: null,
    ...inspection,
    ...(fails && { failureReason: 'conversion' }),
  };
  if (!isBroken(video)) addPost(call, session, video, type);
  return saveVideo(call.sandbox, video);
}

function addPost(call: Call, { request }: Session, video: Video, type: string): void {
  const { store } = call.sandbox;
  const { id, accountId, metadata, file, readyAt, uploadedAt } = video;
  const media = { platform: 'youtube', id, accountId, kind: 'video', type, ...file } as const;
  store.media.add({ ...media, description: null, readyAt, fails: false, data: {} });
  // The post is recorded with the call that opened the session, because this call contains only a chunk of the video.
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
