import type { Platform, RemotePost } from '../../src/platforms/kit/index.ts';
import type { TestFile } from '../support/files/media.ts';
import { type platformStage, toTheEnd } from '../support/stages/platform.ts';

export interface Recording {
  readonly platform: Platform;
  readonly stage: ReturnType<typeof platformStage>;
  readonly member: Awaited<ReturnType<Recording['stage']['aMember']>>;
  skip(seconds: number): void;
}

export interface SamplePost {
  readonly text: string;
  readonly settings?: Record<string, unknown>;
  readonly files?: TestFile[];
  readonly thumbnail?: TestFile;
  /** Posts as another account. */
  readonly handle?: string;
}

export async function publish(recording: Recording, post: SamplePost): Promise<RemotePost> {
  const { platform, stage, skip } = recording;
  const member = post.handle === undefined ? recording.member : await stage.aMember(post.handle);
  const thumbnail = post.thumbnail ? stage.media(post.thumbnail) : null;
  const content = { ...stage.content(post.text, post.settings, post.files), thumbnail };
  const run = stage.aPost(member);
  return toTheEnd(() => platform.publish(content, run()), skip);
}
