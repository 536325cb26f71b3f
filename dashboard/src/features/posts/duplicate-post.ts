import type { PostGroup } from '@crier/client';
import { crier } from '../../lib/api.ts';
import { textOf } from './post-details.ts';

/** A draft with the same text, channels, settings, comments and files. Returns its id. */
export async function duplicatePost(post: PostGroup): Promise<string> {
  const { postGroupId } = await crier.createPost({
    content: textOf(post),
    platforms: post.platforms,
    status: 'draft',
    platformSettings: post.platformSettings as never,
    firstComments: post.firstComments,
  });
  // The browser may read its own files, so a copy needs no public address.
  for (const { url, sourceFileName, mimeType, status } of post.media) {
    if (!url || status !== 'ready') continue;
    const { pathname, search } = new URL(url, window.location.origin);
    const bytes = await (await fetch(pathname + search)).blob();
    await crier.uploadMedia(bytes, {
      postGroupId,
      fileName: sourceFileName ?? 'copy',
      contentType: mimeType ?? bytes.type,
    });
  }
  return postGroupId;
}
