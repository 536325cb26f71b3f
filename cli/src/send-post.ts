import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Crier } from '@crier/client';
import { CommandError, commandErrorOf, wrongUse } from './failures.ts';
import { inspectFiles } from './local-files.ts';
import type { Output } from './output.ts';

/** When to publish a post. */
export type When = { publishNow: true } | { scheduledTime: string; status: 'scheduled' } | { status: 'draft' };

/** Used instead of a time: the service picks the next free posting slot. */
export const nextSlot = 'next-slot';

export interface NewPost {
  content: string;
  platforms: string[];
  when: When;
  comments: readonly string[];
  media: readonly MediaItem[];
  labels?: readonly string[];
}

export interface MediaItem {
  /** A local file, or an https URL. */
  name: string;
  /** Empty if there is none. */
  altText: string;
}

/** Alt texts are in the order of the media. An empty or missing one means no alt text. */
export function withAltTexts(names: readonly string[], altTexts: readonly string[]): MediaItem[] {
  if (altTexts.length > names.length) {
    throw wrongUse(`There are ${altTexts.length} alt texts for ${names.length} media.`, 'Write one for each file.');
  }
  return names.map((name, index) => ({ name, altText: altTexts[index] ?? '' }));
}

export const isAddress = ({ name }: Pick<MediaItem, 'name'>) => /^https?:\/\//i.test(name);

/** The request for the API, without the local files. */
export function requestOf({ content, platforms, when, comments, media, labels = [] }: NewPost) {
  return {
    content,
    platforms,
    ...when,
    ...(comments.length > 0 && { firstComments: comments.map((text) => ({ text })) }),
    ...mediaUrlsOf(media),
    ...(labels.length > 0 && { labels: [...labels] }),
  };
}

/** The service fetches these when it stores the post. */
export function mediaUrlsOf(media: readonly MediaItem[]) {
  const mediaUrls = media.filter(isAddress).map(({ name: url, altText }) => (altText ? { url, altText } : url));
  return mediaUrls.length > 0 ? { mediaUrls } : {};
}

/**
 * The draft of a post with local files. It gets only the media before the first file: the API appends media, so adding
 * the others one after the other keeps their order.
 */
export function draftOf(post: NewPost) {
  const media = post.media.slice(
    0,
    post.media.findIndex((item) => !isAddress(item)),
  );
  return requestOf({ ...post, media, when: { status: 'draft' } });
}

export const filesOf = ({ media }: Pick<NewPost, 'media'>) => media.filter((item) => !isAddress(item));

export const namesOf = (items: readonly MediaItem[]) => items.map(({ name }) => name);

/** Creates the post and returns its id. A post with files stays a draft until it has all of its media. */
export async function sendPost(crier: Crier, post: NewPost, out: Output): Promise<string> {
  const files = filesOf(post);
  if (files.length === 0) return (await crier.createPost(requestOf(post))).postGroupId;
  await inspectFiles(namesOf(files));
  const draft = draftOf(post);
  const { postGroupId } = await crier.createPost(draft);
  try {
    for (const item of post.media.slice(draft.mediaUrls?.length ?? 0))
      await addMedia(crier, item, { postGroupId }, out);
    if (!isDraft(post.when)) await crier.updatePost({ postGroupId, ...post.when });
  } catch (error) {
    throw keptAsDraft(error, postGroupId);
  }
  return postGroupId;
}

const isDraft = (when: When) => 'status' in when && when.status === 'draft';

function keptAsDraft(cause: unknown, postGroupId: string): CommandError {
  const { exit, message, code, hint, lines } = commandErrorOf(cause);
  const kept = `The post is stored as the draft ${postGroupId}: add files with crier upload, publish it with crier update ${postGroupId} --now, or delete it.`;
  return new CommandError(exit, message, {
    code,
    hint: [hint, kept].filter(Boolean).join(' '),
    lines,
    data: { postGroupId },
  });
}

/** Adds a file or an address after the other media of a draft. */
export async function addMedia(
  crier: Crier,
  item: MediaItem,
  draft: { postGroupId: string; idempotencyKey?: string },
  out: Output,
) {
  if (isAddress(item)) await crier.updatePost({ ...draft, ...mediaUrlsOf([item]) });
  else await uploadFile(crier, item, draft.postGroupId, out);
}

export async function uploadFile(crier: Crier, { name, altText }: MediaItem, postGroupId: string, out: Output) {
  const { size } = await stat(name);
  const bar = out.progress(basename(name), size);
  try {
    return await crier.uploadMedia(name, { postGroupId, altText, onProgress: ({ loaded }) => bar.update(loaded) });
  } finally {
    bar.end();
  }
}
