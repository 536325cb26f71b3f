import { Readable } from 'node:stream';
import type { App } from '../../../src/app.ts';
import type { Who } from '../../../src/features/auth/access/api-key.ts';
import { insertMedia } from '../../../src/features/files/files.ts';
import { createPostGroup } from '../../../src/features/posts/create/create-post.ts';
import { updatePostGroup } from '../../../src/features/posts/update/update-post.ts';
import { storageKey } from '../../../src/foundation/storage/storage-key.ts';
import { aVideo } from '../files/media.ts';

/** Creates a post with a video, to be published now. Returns its id. */
export async function publishVideo(app: App, who: Who, platformId: string, content: string): Promise<string> {
  const { postGroupId } = await createPostGroup(app, who, { content, platforms: [platformId] });
  const { bytes, width, height, seconds, type } = aVideo();
  const [id, now] = [app.newId(), app.clock.now()];
  const key = storageKey('video', 'film.mp4', now, 0);
  await app.storage.write(key, Readable.from([bytes]), { contentType: type });
  const { version } = (await app.storage.stat(key))!;
  const facts = { frameRate: 30, codecName: 'h264', bitRate: null, frames: null, pages: null };
  await insertMedia(app.db, {
    id,
    userId: who.userId,
    postGroupId,
    purpose: 'post',
    type: 'video',
    mimeType: type,
    sourceFileName: 'film.mp4',
    storageKey: key,
    status: 'ready',
    metadata: {
      size: bytes.length,
      width,
      height,
      aspectRatio: width / height,
      format: 'mp4',
      duration: seconds,
      ...facts,
    },
    objectVersion: version,
    now,
  });
  await app.db
    .updateTable('post_groups')
    .set({ media_ids: [id] })
    .where('id', '=', postGroupId)
    .execute();
  await updatePostGroup(app, who, postGroupId, { publishNow: true });
  return postGroupId;
}
