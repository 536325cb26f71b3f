import { Readable } from 'node:stream';
import type { App } from '../../src/app.ts';
import { type Who, whoIs } from '../../src/features/auth/access/api-key.ts';
import { connectSandboxAccount } from '../../src/features/connections/connect/sandbox.ts';
import { insertMedia } from '../../src/features/files/files.ts';
import { createPostGroup } from '../../src/features/posts/create/create-post.ts';
import { updatePostGroup } from '../../src/features/posts/update/update-post.ts';
import { storageKey } from '../../src/foundation/storage/storage-key.ts';
import { type PlatformId, platformFor } from '../../src/platforms/index.ts';
import { anImage, aVideo, type TestFile } from '../support/files/media.ts';
import type { Random } from './random.ts';

/** A user with accounts on every network. */
export async function connectEverywhere(
  app: App,
  sandboxUrl: string,
  userId: string,
  platforms: readonly PlatformId[],
  accounts: number,
) {
  const found: { platform: PlatformId; platformId: string }[] = [];
  for (const platform of platforms) {
    for (let number = 1; number <= accounts; number += 1) {
      const handle = `chaos${number}${platform}`;
      const { platformId } = await connectSandboxAccount(app, sandboxUrl, userId, { platform, handle });
      found.push({ platform, platformId });
    }
  }
  return found;
}

/**
 * Creates posts to publish immediately: with one to four targets, some long, some with an image. Most have unique
 * texts; some repeat the previous text for the same accounts.
 */
export async function loader(app: App, userId: string, random: Random) {
  const who = await whoIs(app.db, userId);
  const platforms = new Set(who.connections.map(({ platform }) => platform)).size;
  const [image, video] = [await anImage(), aVideo()];
  const limitsOf = (id: string) => platformFor(id.split('-')[0] ?? '')!.limits;
  let [made, posts] = [0, 0];
  let last: Post | null = null;
  function newPost(atMost: number): Post {
    posts += 1;
    const chosen = pickTargets(who, random, Math.min(atMost, platforms, 1 + random.below(4)));
    const file = chosen.some((id) => limitsOf(id).videoRequired)
      ? video
      : chosen.some((id) => limitsOf(id).mediaRequired) || random.chance(0.1)
        ? image
        : null;
    const content = textFor(posts, random, file === null && chosen.every((id) => limitsOf(id).threads));
    const firstComments = random.chance(0.1) ? [{ text: `First comment under post ${posts}` }] : [];
    return { input: { content, platforms: chosen, firstComments }, file };
  }
  return {
    made: () => made,
    /** May be called again before the previous call ends. */
    async post(atMost: number) {
      const next: Post = last && last.input.platforms.length <= atMost && random.chance(0.3) ? last : newPost(atMost);
      last = next;
      const { input, file } = next;
      made += input.platforms.length;
      try {
        if (file) await withFile(app, who, input, file);
        else await createPostGroup(app, who, { ...input, publishNow: true });
      } catch (error) {
        made -= input.platforms.length;
        throw error;
      }
    },
  };
}

interface Post {
  input: { content: string; platforms: string[]; firstComments: { text: string }[] };
  file: TestFile | null;
}

/** Picks targets on different networks. */
function pickTargets(who: Who, random: Random, wanted: number): string[] {
  const chosen = new Map<string, string>();
  while (chosen.size < wanted) {
    const { platform, accountId } = random.pick(who.connections);
    chosen.set(platform, `${platform}-${accountId}`);
  }
  return [...chosen.values()];
}

function textFor(index: number, random: Random, mayBeLong: boolean): string {
  const sentence = (part: number) =>
    `Part ${part} of post ${index}: ${random.below(1e9)} criers cry in the market square.`;
  const sentences = mayBeLong && random.chance(0.3) ? 12 : 1;
  return Array.from({ length: sentences }, (_, part) => sentence(part + 1)).join(' ');
}

async function withFile(app: App, who: Who, input: Post['input'], file: TestFile) {
  const { postGroupId } = await createPostGroup(app, who, input);
  const [id, now] = [app.newId(), app.clock.now()];
  const key = storageKey(file.kind, `file.${file.kind === 'video' ? 'mp4' : 'jpg'}`, now, 0);
  await app.storage.write(key, Readable.from([file.bytes]), { contentType: file.type });
  const { version } = (await app.storage.stat(key))!;
  const metadata = {
    size: file.bytes.length,
    width: file.width,
    height: file.height,
    aspectRatio: file.width / file.height,
    format: file.kind === 'video' ? 'mp4' : 'jpeg',
    frameRate: file.seconds && 30,
    codecName: null,
    bitRate: null,
    duration: file.seconds,
    frames: 1,
    pages: null,
  };
  await insertMedia(app.db, {
    id,
    userId: who.userId,
    postGroupId,
    purpose: 'post',
    type: file.kind,
    mimeType: file.type,
    sourceFileName: 'file',
    storageKey: key,
    status: 'ready',
    metadata,
    objectVersion: version,
    now,
  });
  await app.db
    .updateTable('post_groups')
    .set({ media_ids: [id] })
    .where('id', '=', postGroupId)
    .execute();
  await updatePostGroup(app, who, postGroupId, { publishNow: true });
}
