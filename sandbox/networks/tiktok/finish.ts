import { noBody } from '../../body.ts';
import { filmSeconds } from '../../film.ts';
import type { Call } from '../../network.ts';
import { startProcessing } from '../../processing.ts';
import { type Sniffed, sniff } from '../../sniff.ts';
import type { Account } from '../../store/accounts.ts';
import type { StoredFile } from '../../store/files.ts';
import { maxSeconds } from './creator.ts';
import { siteHost } from './hosts.ts';
import { keep, newId, type Publication } from './publications.ts';

export const filmTypes = ['video/mp4', 'video/quicktime', 'video/webm'];
const photoTypes = ['image/jpeg', 'image/webp'];
const minSeconds = 3;
/** 1080p, upright or lying. */
const maxShortSide = 1080;
const maxLongSide = 1920;

type Pulled = StoredFile | 'unreachable' | 'too_large';

interface Judged {
  readonly stored: StoredFile;
  readonly found: Sniffed;
}

/** What came of the files: what they are, or why they cannot be posted. */
interface Judgement {
  readonly files: readonly Judged[];
  readonly problem: string | null;
}

export async function judgeVideo(call: Call, account: Account, stored: Pulled): Promise<Judgement> {
  if (typeof stored === 'string') return failed('video_pull_failed');
  const { files } = call.sandbox.store;
  const found = sniff(await files.head(stored.sha256));
  if (!found || !filmTypes.includes(found.type)) return failed('file_format_check_failed');
  // A film that does not say how long it is passes.
  const seconds = filmSeconds(files.path(stored.sha256)) ?? minSeconds;
  if (seconds < minSeconds || seconds > maxSeconds(account)) return failed('duration_check_failed');
  return { files: [{ stored, found }], problem: null };
}

export async function judgePhotos(call: Call, pulled: readonly Pulled[]): Promise<Judgement> {
  const files: Judged[] = [];
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

/** All bytes are there. The post is kept from now on; when people may see it, the clock decides. */
export function finish(call: Call, publication: Publication, account: Account, { files, problem }: Judgement): void {
  const { readyAt, fails } = startProcessing(call);
  const publicAt = readyAt + call.sandbox.options.processingMs;
  const failReason = fails ? 'file_format_check_failed' : problem;
  const isPosted = failReason === null && !publication.isDraft;
  const postId = isPosted ? addPost(call, publication, account, files, { readyAt, publicAt }) : null;
  const bytes = files.reduce((sum, { stored }) => sum + stored.bytes, 0);
  const downloadedBytes = publication.source === 'PULL_FROM_URL' ? bytes : 0;
  keep(call.sandbox, { ...publication, downloadedBytes, ending: { readyAt, publicAt, failReason, postId } });
}

function failed(problem: string): Judgement {
  return { files: [], problem };
}

function addPost(
  call: Call,
  publication: Publication,
  account: Account,
  files: readonly Judged[],
  { readyAt, publicAt }: { readyAt: number; publicAt: number },
): string {
  const { store, now } = call.sandbox;
  const { kind, postInfo, request } = publication;
  const postId = newId(call.sandbox);
  const media = files.map(({ stored, found }) =>
    store.media.add({
      network: 'tiktok',
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
  // Kept with the call that said what the post is to be; the last one may have been a piece of the film.
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
