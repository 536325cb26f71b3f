import { exactly, PlatformError, type PublishContext, type RemotePost, unknownOutcome } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { failedPost, uploadExpired } from './failure.ts';
import { initPhotos, initVideo } from './init.ts';
import type { Post } from './post-info.ts';
import {
  type Complete,
  completeOrNot,
  type Failed,
  type PublishJob,
  processingWait,
  readStatus,
  resultOf,
} from './publish-status.ts';
import { upload } from './upload.ts';

type Ctx = PublishContext<Credentials>;

/** TikTok publishes in three stages: the post is initiated, its files arrive, and TikTok processes them. */
export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  // A failed attempt keeps its number. A later run makes another attempt under the next number.
  for (let attempt = 1; ; attempt += 1) {
    const remote = await publishOnce(post, attempt, ctx);
    if (remote) return remote;
  }
}

/**
 * One step contains all stages and stays open while the post may be published without our knowing. Each stage is a step
 * inside it. Returns null if this attempt failed in an earlier run.
 */
async function publishOnce(post: Post, attempt: number, ctx: Ctx): Promise<RemotePost | null> {
  let ranNow = false;
  const result = await ctx.step<RemotePost | Failed>(
    `post ${attempt}`,
    async () => {
      ranNow = true;
      const job = await init(post, attempt, ctx);
      if (!(await hasFiles(post, job, attempt, ctx))) return { failReason: uploadExpired };
      const processed = await waitForResult(job, attempt, ctx);
      return 'failReason' in processed ? processed : remotePost(post, await withLateId(post, processed, ctx), ctx);
    },
    {
      replayable: true,
      async find() {
        const complete = await completeOrNot(await init(post, attempt, ctx), ctx);
        if (complete === undefined) throw unknownOutcome();
        return exactly(complete && remotePost(post, complete, ctx));
      },
    },
  );
  if (!('failReason' in result)) return result;
  if (ranNow) throw failedPost(result.failReason);
  return null;
}

function init(post: Post, attempt: number, ctx: Ctx): Promise<PublishJob> {
  const [first, ...others] = post.media;
  if (first?.kind === 'video' && others.length === 0) return initVideo(post, first, attempt, ctx);
  if (first && post.media.every(({ kind }) => kind === 'image')) return initPhotos(post, attempt, ctx);
  throw new PlatformError('rejected', 'A TikTok post has either one video or up to 35 images. Change the media.');
}

async function hasFiles({ media: [video] }: Post, { upload: to, ...rest }: PublishJob, attempt: number, ctx: Ctx) {
  return !to || !video || upload(video, { ...rest, upload: to }, attempt, ctx);
}

const waitForResult = (job: PublishJob, attempt: number, ctx: Ctx) =>
  ctx.step(`processing ${attempt}`, () => ctx.until(() => resultOf(job, ctx), processingWait(job, ctx)), {
    replayable: true,
  });

/** TikTok returns no id or URL for private posts, so their URL is the profile. */
function remotePost(post: Post, { publishId, postId }: Complete, ctx: Ctx): RemotePost {
  const profile = `https://www.tiktok.com/@${ctx.account.handle}`;
  if (postId === null) return { id: publishId, url: profile };
  return { id: postId, url: `${profile}/${post.media[0]?.kind === 'video' ? 'video' : 'photo'}/${postId}` };
}

/** TikTok returns the id of a public post only after moderation: usually within a minute, sometimes after hours. */
const idDeadlineMs = 120_000;
const idPollSeconds = 10;

async function withLateId(post: Post, complete: Complete, ctx: Ctx): Promise<Complete> {
  if (complete.postId !== null || post.settings.viewerSetting !== 'PUBLIC_TO_EVERYONE') return complete;
  // The post is published, so an error while reading its id does not fail it.
  const { postId } = await readStatus(complete, ctx).catch(() => complete);
  const msLeft = complete.completeAt + idDeadlineMs - ctx.now().getTime();
  const wait = { seconds: idPollSeconds, msLeft, late: () => null };
  return { ...complete, postId: await ctx.until(async () => postId, wait) };
}
