import { type ApiRequest, type Context, messages, PlatformError } from '../kit/index.ts';
import { type Credentials, call, type Post, Timeline } from './api.ts';

/**
 * X's API has two names for posts. OpenAPI 2.167 (https://docs.x.com/x-api, read 2026-11-16) has only the first
 * vocabulary, in which references are an expansion, not a field; the older one still works. X silently drops values of
 * the wrong vocabulary.
 */
type Vocabulary = Readonly<Record<string, string>>;
const posts: Vocabulary = {
  'post.fields': 'attachments,created_at,entities,note_post',
  expansions: 'referenced_posts',
};
const tweets: Vocabulary = { 'tweet.fields': 'attachments,created_at,entities,note_tweet,referenced_tweets' };

/** The API is the same for all accounts, so the result of one request applies to this whole process. */
let spoken = posts;

/** A page of a timeline, requested in the vocabulary that X last understood, or else in the other one. */
export async function readPosts(request: ApiRequest, ctx: Context<Credentials>): Promise<Page> {
  for (const vocabulary of [spoken, spoken === posts ? tweets : posts]) {
    const page = await read(vocabulary, request, ctx);
    if (!page) continue;
    spoken = vocabulary;
    return page;
  }
  const reason = 'The response is unreadable: X knows neither `post.fields` nor `tweet.fields`.';
  throw new PlatformError('unavailable', messages.unreadable('X'), { reason });
}

type Page = Omit<Timeline, 'data'> & { data: Post[] };

/** Null if X reports or shows that it does not know this vocabulary. Any other failure says nothing about it. */
async function read(vocabulary: Vocabulary, request: ApiRequest, ctx: Context<Credentials>): Promise<Page | null> {
  try {
    const { data, meta } = await call(Timeline, { ...request, query: { ...request.query, ...vocabulary } }, ctx);
    return data.every(isDated) ? { data, meta } : null;
  } catch (error) {
    if (refuses(vocabulary, error)) return null;
    throw error;
  }
}

/** Every post has a date, so one without it shows that X ignored the requested fields. */
const isDated = (post: Timeline['data'][number]): post is Post => post.createdAt !== undefined;

/** "The query parameter [post.fields] is not one of […]": X quotes the name it does not know. */
function refuses(vocabulary: Vocabulary, error: unknown): boolean {
  if (!(error instanceof PlatformError) || error.status !== 400) return false;
  const quoted = error.reason?.match(/[[`][\w.]+[\]`]/g)?.map((name) => name.slice(1, -1)) ?? [];
  const names = Object.entries(vocabulary).flatMap(([name, values]) => [name, ...values.split(',')]);
  return quoted.some((name) => names.includes(name));
}
