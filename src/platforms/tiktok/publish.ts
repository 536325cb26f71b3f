import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import type { Post } from './creator.ts';
import { failedPost, uploadExpired } from './failure.ts';
import { announcePhotos, announceVideo } from './init.ts';
import {
  type Complete,
  completeOrNot,
  endOf,
  type Failed,
  type Publication,
  secondsToNextLook,
  statusOf,
} from './publication.ts';
import { upload } from './upload.ts';

type Ctx = PublishContext<Credentials>;

/** TikTok posts in three stages: the post is announced, its files arrive, and TikTok works on them until it is out. */
export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  // What came to nothing keeps its number; a later run makes another attempt under the next.
  for (let attempt = 1; ; attempt += 1) {
    const remote = await publishOnce(post, attempt, ctx);
    if (remote) return remote;
  }
}

/**
 * One step around all stages, open for as long as the post may be out without our knowing; each stage is a step inside it.
 * Null: this attempt failed in an earlier run.
 */
async function publishOnce(post: Post, attempt: number, ctx: Ctx): Promise<RemotePost | null> {
  let isNews = false;
  const end = await ctx.step<RemotePost | Failed>(
    `post ${attempt}`,
    async () => {
      isNews = true;
      const publication = await announce(post, attempt, ctx);
      if (!(await hasFiles(post, publication, attempt, ctx))) return { failReason: uploadExpired };
      const end = await completion(publication, attempt, ctx);
      return 'failReason' in end ? end : remotePost(post, await withLateId(post, end, ctx), ctx);
    },
    {
      replayable: true,
      async find() {
        const complete = await completeOrNot(await announce(post, attempt, ctx), ctx);
        return complete && remotePost(post, complete, ctx);
      },
    },
  );
  if (!('failReason' in end)) return end;
  if (isNews) throw failedPost(end.failReason);
  return null;
}

function announce(post: Post, attempt: number, ctx: Ctx): Promise<Publication> {
  const [first, ...others] = post.media;
  if (first?.kind === 'video' && others.length === 0) return announceVideo(post, first, attempt, ctx);
  if (first && post.media.every(({ kind }) => kind === 'image')) return announcePhotos(post, attempt, ctx);
  throw new PlatformError('rejected', 'A TikTok post shows one video, or up to 35 pictures.');
}

async function hasFiles({ media: [video] }: Post, { upload: to, ...rest }: Publication, attempt: number, ctx: Ctx) {
  return !to || !video || upload(video, { ...rest, upload: to }, attempt, ctx);
}

const completion = (publication: Publication, attempt: number, ctx: Ctx) =>
  ctx.step(
    `processing ${attempt}`,
    () => ctx.until(() => endOf(publication, ctx), secondsToNextLook(publication, ctx)),
    { replayable: true },
  );

/** Private posts have no id for us, and no address: the profile is where their owner finds them. */
function remotePost(post: Post, { publishId, postId }: Complete, ctx: Ctx): RemotePost {
  const profile = `https://www.tiktok.com/@${ctx.account.handle}`;
  if (postId === null) return { id: publishId, url: profile };
  return { id: postId, url: `${profile}/${post.media[0]?.kind === 'video' ? 'video' : 'photo'}/${postId}` };
}

/** TikTok looks at public posts before it tells their id: mostly for less than a minute, at times for hours. */
const idDeadlineMs = 120_000;
const secondsBetweenLooks = 10;

async function withLateId(post: Post, complete: Complete, ctx: Ctx): Promise<Complete> {
  if (complete.postId !== null || post.settings.viewerSetting !== 'PUBLIC_TO_EVERYONE') return complete;
  // The post is out: trouble while we ask for its id is no failure.
  const { postId } = await statusOf(complete, ctx).catch(() => complete);
  const isLate = ctx.now().getTime() - complete.completeAt > idDeadlineMs;
  return { ...complete, postId: isLate ? postId : await ctx.until(async () => postId, secondsBetweenLooks) };
}
