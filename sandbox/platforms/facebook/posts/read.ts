import { asCount, asText } from '../../../http/coerce.ts';
import type { HttpResponse } from '../../../http/http-response.ts';
import type { Json } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { select } from '../field-selection.ts';
import { readInput } from '../input.ts';
import { listResponse } from '../paging.ts';
import { authenticateAsPage } from '../sign-in/authenticate.ts';
import { defaultPostFields, isComment, isVisible, postNode } from './posts.ts';

const mostPosts = 1000;

/** The posts of the Page, newest first. A post whose video is still being processed is left out. */
export function publishedPosts(call: Call): HttpResponse {
  const page = authenticateAsPage(call, call.params.id ?? '', 'pages_read_engagement');
  const input = readInput(call);
  const [since, until] = [timeOf(input.since), timeOf(input.until)];
  const posts = call.sandbox.store.posts
    .ofAccount('facebook', page.id, mostPosts)
    .filter(
      (post) =>
        !isComment(post) &&
        isVisible(call, post) &&
        (since === undefined || post.createdAt >= since) &&
        (until === undefined || post.createdAt <= until),
    );
  const present = (post: Post) => select('Post', postNode(call, post), asText(input.fields), defaultPostFields);
  return listResponse(call, posts, asCount(input.limit, 25, 100), present);
}

/** The value is in seconds since 1970 or a date. */
function timeOf(value: Json | undefined): number | undefined {
  const text = asText(value);
  if (text === '') return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
