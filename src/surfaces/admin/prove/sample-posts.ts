import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { completeMedia } from '../../../features/files/files.ts';
import { createUpload } from '../../../features/media/uploads/upload-url.ts';
import { createPostGroup } from '../../../features/posts/create/create-post.ts';
import { getPostGroup } from '../../../features/posts/posts.ts';
import { updatePostGroup } from '../../../features/posts/update/update-post.ts';
import { AdminError } from '../error-message.ts';
import type { Made, Proof } from './proof.ts';

export type PostKind = 'text' | 'picture' | 'video' | 'thread';

type Target = Awaited<ReturnType<typeof getPostGroup>>['posts'][number];

export interface Sample {
  id: string;
  link: string | null;
  comments: Target['firstCommentResults'];
}

const pauseMs = 1_000;
/** Networks process a short video within minutes. */
const maxWaitMs = 3_600_000;

interface SampleOptions {
  /** Its name in the verdict on deleting it. */
  name: string;
  comment?: boolean;
}

/** Publishes a harmless post like any other post, and waits until it and its comment are done. */
export async function publishSample(proof: Proof, kind: PostKind, options: SampleOptions): Promise<Sample> {
  const { app, who, platform, connection } = proof;
  const draft = await createPostGroup(app, who, {
    content: textFor(proof, kind),
    platforms: [`${platform.id}-${connection.accountId}`],
    ...(platform.quietSettings && { platformSettings: { [platform.id]: platform.quietSettings } }),
    ...(options.comment && { firstComment: { text: `The comment of this test (${proof.label}).` } }),
  });
  const file = files[kind];
  if (file) await attach(proof, draft.postGroupId, file);
  await updatePostGroup(app, who, draft.postGroupId, { publishNow: true });
  const target = await ended(proof, draft.postGroupId);
  proof.made.push(...madeBy(target, options.name));
  if (target.status === 'failed') throw new SampleFailed(target);
  return { id: target.postedId!, link: target.permalink, comments: target.firstCommentResults };
}

async function ended({ app, who, lane, signal, pause }: Proof, postGroupId: string): Promise<Target> {
  const giveUpAt = app.clock.now().getTime() + maxWaitMs;
  for (;;) {
    await lane.run(postGroupId, signal);
    const { posts, status } = await getPostGroup(app, who, postGroupId);
    const target = posts[0]!;
    if (target.status === 'failed') return target;
    if (status === 'draft') throw new AdminError('Crier returned it to draft; its log shows why.');
    const hasComments = target.firstCommentResults.every((comment) => comment.status !== 'pending');
    if (target.status === 'published' && hasComments) return target;
    if (app.clock.now().getTime() > giveUpAt) throw new StillWaiting(target);
    await pause(pauseMs);
  }
}

/** Everything of it that is on the network, in order of publication, even if only a part was published. */
function madeBy({ postedId, permalink: url, threadParts, firstCommentResults, error }: Target, name: string): Made[] {
  const parts = threadParts.flatMap(({ publishedId }) => publishedId ?? []);
  const posts = parts.length > 0 ? parts : [postedId ?? []].flat();
  const comments = firstCommentResults.filter((one) => one.status === 'posted' || one.error?.outcomeUnknown);
  return [
    ...posts.map((id, index) => ({ name: parts.length > 1 ? `${name} ${index + 1}` : name, id, url })),
    ...(error?.code === outcomeUnknown ? [{ name, id: null, url: null }] : []),
    ...comments.map(({ commentId }) => ({ name: `${name}'s comment`, id: commentId, url })),
  ];
}

/** The network may have the post, and cannot be asked. */
export const outcomeUnknown = 'PUBLISH_OUTCOME_UNKNOWN';

/** Carries the code and the reason that the user of a post would see. */
export class SampleFailed extends AdminError {
  constructor({ error }: Target) {
    super([error?.message, error?.platformError].filter(Boolean).join(' '), error?.code);
  }
}

class StillWaiting extends AdminError {
  constructor({ retry }: Target) {
    const why = retry ? `The last attempt failed: ${retry.error.message} ${retry.error.platformError ?? ''}` : '';
    super(`Not done after an hour. ${why} Crier keeps retrying: delete the post in Crier to stop it.`);
  }
}

/** Every text differs, because some networks refuse the same text twice. */
function textFor({ label, platform, connection }: Proof, kind: PostKind): string {
  const line = `A test of the connection to Crier, please ignore (${kind}, ${label}-${randomBytes(3).toString('hex')}).`;
  if (kind !== 'thread') return line;
  const { max } = (platform.limitsFor?.(connection.traits) ?? platform.limits).text;
  return Array.from({ length: Math.ceil((1.5 * max) / line.length) }, (_, index) => `${index + 1}. ${line}`).join(' ');
}

interface SampleFile {
  fileName: string;
  contentType: string;
  bytes(): Promise<Uint8Array>;
}

const files: Partial<Record<PostKind, SampleFile>> = {
  picture: { fileName: 'test.jpg', contentType: 'image/jpeg', bytes: aPicture },
  video: {
    fileName: 'test.mp4',
    contentType: 'video/mp4',
    bytes: () => readFile(new URL('sample.mp4', import.meta.url)),
  },
};

async function aPicture(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const background = { r: 32, g: 96, b: 160 };
  return sharp({ create: { width: 1080, height: 1080, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

async function attach({ app, who }: Proof, postGroupId: string, { fileName, contentType, bytes }: SampleFile) {
  const upload = { postGroupId, fileName, contentType, altText: 'A single-color picture to test a connection.' };
  const { mediaId, key } = await createUpload(app, who, upload);
  const content = await bytes();
  await app.storage.write(key, chunksOf(content), { contentType });
  await completeMedia(app, who, mediaId);
}

async function* chunksOf(content: Uint8Array) {
  yield content;
}
