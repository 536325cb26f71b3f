import { asText } from '../../../http/coerce.ts';
import type { JsonObject } from '../../../http/json.ts';
import { startProcessing } from '../../../media/media-processing.ts';
import { type Mp4Metadata, readMp4Metadata } from '../../../media/mp4-metadata.ts';
import { sniff } from '../../../media/sniff.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { StoredFile } from '../../../store/files.ts';
import { refuse } from '../errors.ts';
import { addPost, readMessage } from '../posts/create.ts';
import { saveVideo, type Video, videoPath } from './videos.ts';

const minBytes = 1024;
const maxSeconds = 4 * 60 * 60;

type Problem = NonNullable<Video['problem']>;

/** Facebook checks these immediately, before processing. Returns the type of the file. */
export async function checkVideoFile(call: Call, { sha256, bytes }: StoredFile): Promise<string> {
  if (bytes < minBytes) {
    refuse('(#382) The video file you tried to upload is too small. The minimum size for a video is 1 KB.', {
      code: 382,
      subcode: 1363022,
    });
  }
  const found = sniff(await call.sandbox.store.files.head(sha256));
  if (found?.kind === 'video') return found.type;
  refuse("(#352) The video file you selected is in a format that we don't support.", { code: 352, subcode: 1363024 });
}

/** Starts processing. It creates a post unless processing fails. The id is known immediately in either case. */
export function publishVideo(call: Call, page: Account, video: Video, type: string, input: JsonObject): Video {
  const { store, now } = call.sandbox;
  const sha256 = video.sha256 ?? '';
  const metadata = readMp4Metadata(store.files.path(sha256));
  const { readyAt, fails } = startProcessing(call);
  const problem = problemOfVideo(metadata);
  const media = store.media.add({
    platform: 'facebook',
    id: video.id,
    accountId: page.id,
    kind: 'video',
    type,
    sha256,
    bytes: video.received,
    description: null,
    readyAt,
    fails: fails || problem !== null,
    data: { width: metadata.width, height: metadata.height, seconds: metadata.seconds },
  });
  const description = readMessage(input.description);
  const data = { statusType: 'added_video', videoId: video.id };
  const content = { text: description, media: [media], data, path: videoPath(video) };
  const post = media.fails ? undefined : addPost(call, page, content);
  return saveVideo(call, {
    ...video,
    description,
    title: asText(input.title),
    state: 'published',
    postId: post?.id ?? `${page.id}_${store.ids.snowflake()}`,
    problem,
    finishedAt: now(),
  });
}

function problemOfVideo({ seconds }: Mp4Metadata): Problem | null {
  if (seconds === null || seconds <= maxSeconds) return null;
  return { code: 1363026, message: 'The video you are trying to upload is too long.' };
}
