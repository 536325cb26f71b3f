import type { Answer } from '../../answer.ts';
import { asCount, asText } from '../../fields.ts';
import type { Json } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { readInput } from './input.ts';
import { listAnswer } from './lists.ts';
import { defaultPostFields, isComment, isVisible, postNode } from './posts.ts';
import { select } from './selection.ts';
import { signInAsPage } from './sign-in.ts';
import { defaultVideoFields, isShown, type Video, videoNode, videosOf } from './videos.ts';

const mostPosts = 1000;

/** What the Page has published, newest first. Stories and what is still processed are not among it. */
export function publishedPosts(call: Call): Answer {
  const page = signInAsPage(call, call.params.id ?? '', 'pages_read_engagement');
  const input = readInput(call);
  const [since, until] = [timeOf(input.since), timeOf(input.until)];
  const posts = call.sandbox.store.posts
    .ofAccount('facebook', page.id, mostPosts)
    .filter(
      (post) =>
        !isComment(post) &&
        post.data.isStory !== true &&
        isVisible(call, post) &&
        (since === undefined || post.createdAt >= since) &&
        (until === undefined || post.createdAt <= until),
    );
  const present = (post: Post) => select('Post', postNode(call, post), asText(input.fields), defaultPostFields);
  return listAnswer(call, posts, asCount(input.limit, 25, 100), present);
}

export function pageVideos(kind: Video['kind']) {
  return (call: Call): Answer => {
    const page = signInAsPage(call, call.params.id ?? '', 'pages_read_engagement');
    const input = readInput(call);
    const videos = videosOf(call, page.id).filter((video) => video.kind === kind && isShown(call, video));
    const present = (video: Video) => select('Video', videoNode(call, video), asText(input.fields), defaultVideoFields);
    return listAnswer(call, videos, asCount(input.limit, 25, 100), present);
  };
}

/** Seconds since 1970, or a date. */
function timeOf(value: Json | undefined): number | undefined {
  const text = asText(value);
  if (text === '') return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
