import { type output, z } from 'zod';
import { apiCalls, apiVersions, secret } from '../kit/index.ts';
import { failureIn } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), refreshToken: secret() });
export type Credentials = output<typeof Credentials>;

export const api = `https://api.x.com/${apiVersions.twitter.version}`;
export const { call } = apiCalls({ name: 'X', failureIn });

// X's responses, as far as the adapter reads them. Ids are text, because they are too large for numbers.
const Id = z.string().regex(/^\d+$/);
export const Me = z.object({
  data: z.object({
    id: Id,
    name: z.string(),
    username: z.string().min(1),
    profile_image_url: z.string().nullish(),
    subscription_type: z.string().default('None'),
  }),
});
export const Created = z.object({ data: z.object({ id: Id }) });
const Processing = z.object({
  state: z.string(),
  check_after_secs: z.number().nonnegative().optional(),
  error: z.object({ name: z.string().optional(), message: z.string().optional() }).optional(),
});
export const Upload = z.object({ data: z.object({ id: Id, processing_info: Processing.nullish() }) });
const Entities = z.object({
  urls: z.array(z.object({ url: z.string(), expanded_url: z.string().optional() })).default([]),
});
const Note = z.object({ text: z.string(), entities: Entities.optional() }).optional();
const References = z.array(z.object({ type: z.string(), id: Id })).optional();
/** A field has one of two names, depending on the request's vocabulary (`vocabulary.ts`). */
const Post = z
  .object({
    id: Id,
    text: z.string(),
    created_at: z.coerce.date().optional(),
    entities: Entities.optional(),
    note_post: Note,
    note_tweet: Note,
    attachments: z.object({ media_keys: z.array(z.string()).default([]) }).optional(),
    referenced_posts: References,
    referenced_tweets: References,
  })
  .transform(({ note_post, note_tweet, referenced_posts, referenced_tweets, created_at, ...post }) => ({
    ...post,
    /** Missing if X did not understand the requested fields. */
    createdAt: created_at,
    /** The full text of a long post. `text` is only its beginning. */
    note: note_post ?? note_tweet,
    references: referenced_posts ?? referenced_tweets ?? [],
  }));
export const Timeline = z.object({
  data: z.array(Post).default([]),
  meta: z.object({ next_token: z.string().optional() }).default({}),
});
export type Timeline = output<typeof Timeline>;
export type Post = Timeline['data'][number] & { createdAt: Date };
/** For calls where only the status matters. */
export const Anything = z.unknown();
