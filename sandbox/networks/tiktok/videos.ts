import type { Answer } from '../../answer.ts';
import { asTexts } from '../../fields.ts';
import { filmSeconds } from '../../film.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { refuse, success } from './errors.ts';
import { imageHost, siteHost } from './hosts.ts';
import { pick, readFields } from './query-fields.ts';
import { signIn } from './sign-in.ts';

const videoFields = [
  'id',
  'create_time',
  'cover_image_url',
  'share_url',
  'video_description',
  'duration',
  'height',
  'width',
  'title',
  'embed_html',
  'embed_link',
  'like_count',
  'comment_count',
  'share_count',
  'view_count',
];
const maxPage = 20;
const defaultPage = 10;
const maxIds = 20;

/** Newest first, from before `cursor`, which is a time in milliseconds. */
export function listVideos(call: Call): Answer {
  const { account } = signIn(call, 'video.list');
  const fields = readFields(call, videoFields);
  const { max_count = defaultPage, cursor } = call.body.fields;
  if (typeof max_count !== 'number' || !Number.isInteger(max_count) || max_count < 1 || max_count > maxPage) {
    refuse('invalid_params', `max_count must be 1 to ${maxPage}`);
  }
  if (cursor !== undefined && typeof cursor !== 'number') refuse('invalid_params', 'cursor must be a number');
  const older = visibleVideos(call, account).filter(({ createdAt }) => cursor === undefined || createdAt < cursor);
  const page = older.slice(0, max_count);
  return success({
    videos: page.map((post) => pick(fields, presentVideo(call, post))),
    cursor: page.at(-1)?.createdAt ?? cursor ?? 0,
    has_more: older.length > page.length,
  });
}

export function queryVideos(call: Call): Answer {
  const { account } = signIn(call, 'video.list');
  const fields = readFields(call, videoFields);
  const { filters } = call.body.fields;
  const ids = isObject(filters) ? asTexts(filters.video_ids) : [];
  if (ids.length === 0 || ids.length > maxIds) refuse('invalid_params', `video_ids must be 1 to ${maxIds} ids`);
  const found = visibleVideos(call, account).filter(({ id }) => ids.includes(id));
  return success({ videos: found.map((post) => pick(fields, presentVideo(call, post))) });
}

/** Only public videos that have passed moderation; photo posts are missing here. */
function visibleVideos(call: Call, account: Account): Post[] {
  const now = call.sandbox.now();
  return call.sandbox.store.posts
    .ofAccount('tiktok', account.id)
    .filter(({ data }) => data.kind === 'video' && data.visibility === 'public' && Number(data.publicAt) <= now);
}

function presentVideo(call: Call, post: Post): JsonObject {
  const { reactions, posts, media, files } = call.sandbox.store;
  const film = media.find('tiktok', post.media[0] ?? '');
  const embed = `https://${siteHost}/embed/v2/${post.id}`;
  return {
    id: post.id,
    create_time: Math.floor(post.createdAt / 1000),
    cover_image_url: `https://${imageHost}/cover/${post.id}.jpeg`,
    share_url: post.url,
    video_description: post.text,
    duration: Math.floor((film && filmSeconds(files.path(film.sha256))) ?? 0),
    height: 1024,
    width: 576,
    title: post.text,
    embed_html: `<blockquote class="tiktok-embed" cite="${post.url}"></blockquote>`,
    embed_link: embed,
    like_count: reactions.counts(post).like ?? 0,
    comment_count: posts.replyCount(post),
    share_count: 0,
    view_count: 0,
  };
}
