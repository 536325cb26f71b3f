import { noBody } from '../../../http/request-body.ts';
import { startProcessing } from '../../../media/media-processing.ts';
import { readMp4Metadata } from '../../../media/mp4-metadata.ts';
import { type Sniffed, sniff } from '../../../media/sniff.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { StoredFile } from '../../../store/files.ts';
import { maxSeconds } from '../accounts.ts';
import { siteHost } from '../hosts.ts';
import { newId, type Publication, savePublication } from './publications.ts';

export const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm'];
const photoTypes = ['image/jpeg', 'image/webp'];
const minSeconds = 3;
const minFramesPerSecond = 23;
const maxFramesPerSecond = 60;
/** Photos may have at most 1080p, in portrait or landscape. */
const maxShortSide = 1080;
const maxLongSide = 1920;

type Pulled = StoredFile | 'unreachable' | 'too_large';

interface CheckedFile {
  readonly stored: StoredFile;
  readonly found: Sniffed;
}

/** The detected files, or the reason why they cannot be posted. */
interface CheckedFiles {
  readonly files: readonly CheckedFile[];
  readonly problem: string | null;
}

export async function checkVideo(call: Call, account: Account, stored: Pulled): Promise<CheckedFiles> {
  if (typeof stored === 'string') return failed('video_pull_failed');
  const { files } = call.sandbox.store;
  const found = sniff(await files.head(stored.sha256));
  if (!found || !videoTypes.includes(found.type)) return failed('file_format_check_failed');
  // A video passes if it does not state its duration or its frame rate.
  const { seconds, framesPerSecond } = readMp4Metadata(files.path(stored.sha256));
  if (isOutside(seconds, minSeconds, maxSeconds(account))) return failed('duration_check_failed');
  if (isOutside(framesPerSecond, minFramesPerSecond, maxFramesPerSecond)) return failed('frame_rate_check_failed');
  return { files: [{ stored, found }], problem: null };
}

export async function checkPhotos(call: Call, pulled: readonly Pulled[]): Promise<CheckedFiles> {
  const files: CheckedFile[] = [];
  for (const stored of pulled) {
    if (stored === 'unreachable') return failed('photo_pull_failed');
    if (stored === 'too_large') return failed('picture_size_check_failed');
    const found = sniff(await call.sandbox.store.files.head(stored.sha256));
    if (!found || !photoTypes.includes(found.type)) return failed('file_format_check_failed');
    if (isTooLarge(found)) return failed('picture_size_check_failed');
    files.push({ stored, found });
  }
  return { files, problem: null };
}

/** Runs when all bytes have arrived. The post is stored now; the clock decides when it becomes visible. */
export function finishPublication(
  call: Call,
  publication: Publication,
  account: Account,
  { files, problem }: CheckedFiles,
): void {
  const { readyAt, fails } = startProcessing(call);
  const publicAt = readyAt + call.sandbox.options.processingMs;
  const failReason = fails ? 'file_format_check_failed' : problem;
  const postId = failReason === null ? addPost(call, publication, account, files, { readyAt, publicAt }) : null;
  const bytes = files.reduce((sum, { stored }) => sum + stored.bytes, 0);
  const downloadedBytes = publication.source === 'PULL_FROM_URL' ? bytes : 0;
  savePublication(call.sandbox, { ...publication, downloadedBytes, ending: { readyAt, publicAt, failReason, postId } });
}

const isOutside = (value: number | null, min: number, max: number) => value !== null && (value < min || value > max);

function failed(problem: string): CheckedFiles {
  return { files: [], problem };
}

function addPost(
  call: Call,
  publication: Publication,
  account: Account,
  files: readonly CheckedFile[],
  { readyAt, publicAt }: { readyAt: number; publicAt: number },
): string {
  const { store, now } = call.sandbox;
  const { kind, postInfo, request } = publication;
  const postId = newId(call.sandbox);
  const media = files.map(({ stored, found }) =>
    store.media.add({
      platform: 'tiktok',
      id: newId(call.sandbox),
      accountId: account.id,
      kind: found.kind,
      type: found.type,
      ...stored,
      description: null,
      readyAt,
      fails: false,
      data: {},
    }),
  );
  // The post is recorded with the `init` call, because the last call may contain only a chunk of the video.
  const initCall = { ...call, headers: request.headers, body: { ...noBody, fields: request.fields } };
  const post = store.posts.add(initCall, {
    id: postId,
    accountId: account.id,
    text: postInfo.text,
    media: media.map(({ id }) => id),
    inReplyTo: null,
    url: `https://${siteHost}/@${account.handle}/${kind}/${postId}`,
    createdAt: now(),
    data: {
      kind,
      title: postInfo.title,
      publishId: publication.id,
      visibility: postInfo.privacy === 'PUBLIC_TO_EVERYONE' ? 'public' : postInfo.privacy,
      publicAt,
    },
  });
  for (const one of media) store.media.change(one, { postId: post.id });
  return postId;
}

function isTooLarge({ width, height }: Sniffed): boolean {
  const sides = [width ?? 0, height ?? 0];
  return Math.min(...sides) > maxShortSide || Math.max(...sides) > maxLongSide;
}
