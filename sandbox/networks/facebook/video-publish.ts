import { asText } from '../../fields.ts';
import { type Film, readFilm } from '../../film.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { startProcessing } from '../../processing.ts';
import { sniff } from '../../sniff.ts';
import type { Account } from '../../store/accounts.ts';
import type { StoredFile } from '../../store/files.ts';
import { refuse } from './errors.ts';
import { addPost, readMessage } from './feed-create.ts';
import { keepVideo, type Video, videoPath } from './videos.ts';

const minBytes = 1024;
const maxSeconds = 4 * 60 * 60;
const minReelSeconds = 3;
const maxReelSeconds = 90;
const maxStorySeconds = 60;
const [minReelWidth, minReelHeight] = [540, 960];
const verticalRatio = 9 / 16;
const ratioSlack = 0.01;

type Problem = NonNullable<Video['problem']>;

/** What Facebook sees at once, before any processing. */
export async function checkVideoFile(call: Call, { sha256, bytes }: StoredFile): Promise<void> {
  if (bytes < minBytes) {
    refuse('(#382) The video file you tried to upload is too small. The minimum size for a video is 1 KB.', {
      code: 382,
      subcode: 1363022,
    });
  }
  if (sniff(await call.sandbox.store.files.head(sha256))?.kind !== 'video') {
    refuse("(#352) The video file you selected is in a format that we don't support.", {
      code: 352,
      subcode: 1363024,
    });
  }
}

/** Processing starts; a post comes of it unless it fails. Its id is known at once either way. */
export async function publishVideo(call: Call, page: Account, video: Video, input: JsonObject): Promise<Video> {
  const { store, now } = call.sandbox;
  const sha256 = video.sha256 ?? '';
  const film = readFilm(store.files.path(sha256));
  const { readyAt, fails } = startProcessing(call);
  const problem = video.kind === 'video' ? problemOfVideo(film) : problemOfVertical(video.kind, film);
  const type = sniff(await store.files.head(sha256))?.type ?? 'video/mp4';
  const media = store.media.add({
    network: 'facebook',
    id: video.id,
    accountId: page.id,
    kind: 'video',
    type,
    sha256,
    bytes: video.received,
    description: null,
    readyAt,
    fails: fails || problem !== null,
    data: { width: film.width, height: film.height, seconds: film.seconds },
  });
  const description = readMessage(input.description);
  const text = video.kind === 'story' ? '' : description;
  const data = {
    statusType: 'added_video',
    videoId: video.id,
    isReel: video.kind === 'reel',
    isStory: video.kind === 'story',
  };
  const post = media.fails ? undefined : addPost(call, page, { text, media: [media], data, path: videoPath(video) });
  return keepVideo(call, {
    ...video,
    description,
    title: asText(input.title),
    state: 'published',
    postId: post?.id ?? `${page.id}_${store.ids.snowflake()}`,
    problem,
    finishedAt: now(),
  });
}

function problemOfVideo({ seconds }: Film): Problem | null {
  if (seconds === null || seconds <= maxSeconds) return null;
  return { code: 1363026, message: 'The video you are trying to upload is too long.' };
}

/** Reels and stories stand upright. What the file does not say is let pass. */
function problemOfVertical(kind: 'reel' | 'story', { seconds, width, height }: Film): Problem | null {
  const longest = kind === 'reel' ? maxReelSeconds : maxStorySeconds;
  if (seconds !== null && (seconds < minReelSeconds || seconds > longest)) {
    return {
      code: 1363128,
      message: "The video you tried to upload has a duration that isn't supported on Facebook for this product.",
    };
  }
  if (width === null || height === null) return null;
  if (Math.abs(width / height - verticalRatio) > ratioSlack) {
    return {
      code: 1363040,
      message: "The video you tried to upload has an aspect ratio that isn't supported on Facebook.",
    };
  }
  if (width < minReelWidth || height < minReelHeight) {
    return {
      code: 1363127,
      message: "The video you tried to upload has resolution that isn't supported on Facebook for this product.",
    };
  }
  return null;
}
