import { asText, asTexts } from '../../../http/coerce.ts';
import { isObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import { problemType } from '../errors.ts';
import { mediaFields, mediaKey, presentMedia } from '../media/present.ts';
import { readFields } from '../query-parameters.ts';
import { displayNote, displayText } from '../text/display-text.ts';
import { presentUser, readUserFields } from '../users.ts';
import { type Vocabulary, vocabularyOf } from '../vocabulary.ts';

const privateFields = ['non_public_metrics', 'organic_metrics'];
const privateMetricsMs = 30 * 24 * 60 * 60_000;

/** Returns `data`, `includes` and `errors` for several posts. */
export function presentPosts(call: Call, posts: readonly Post[], caller: Account) {
  const vocabulary = vocabularyOf(call);
  const fields = readFields(call, vocabulary.parameter, vocabulary.fields);
  const expanded = readFields(call, 'expansions', vocabulary.expansions);
  const includes = includesOf(call, posts, caller, expanded);
  const errors = posts.flatMap((post) => privateErrors(call, post, caller, fields));
  const needed = expanded.map((name) => name.split('.')[0] ?? name);
  return {
    data: posts.map((post) => presentPost(call, post, caller, [...fields, ...needed])),
    ...(Object.keys(includes).length > 0 && { includes }),
    ...(errors.length > 0 && { errors }),
  };
}

export function publicMetrics(call: Call, post: Post) {
  const { reactions, posts } = call.sandbox.store;
  const counts = reactions.counts(post);
  return {
    repost_count: counts.repost ?? 0,
    reply_count: posts.replyCount(post),
    like_count: counts.like ?? 0,
    quote_count: counts.quote ?? 0,
    bookmark_count: counts.bookmark ?? 0,
    impression_count: 0,
  };
}

function presentPost(call: Call, post: Post, caller: Account, fields: readonly string[]): Record<string, unknown> {
  const shown = displayText(call, post);
  const vocabulary = vocabularyOf(call);
  const parts: Record<string, () => unknown> = {
    attachments: () => attachmentsOf(call, post),
    author_id: () => post.accountId,
    conversation_id: () => post.data.conversationId,
    created_at: () => `${new Date(post.createdAt).toISOString().slice(0, 19)}.000Z`,
    entities: () => (Object.keys(shown.entities).length > 0 ? shown.entities : undefined),
    in_reply_to_user_id: () => findPost(call, post.inReplyTo)?.accountId,
    lang: () => 'en',
    [vocabulary.note]: () => displayNote(post),
    possibly_sensitive: () => false,
    public_metrics: () => named(publicMetrics(call, post), vocabulary),
    [vocabulary.references]: () => referencesOf(post),
    reply_settings: () => post.data.replySettings,
    non_public_metrics: () => {
      if (!hasPrivateMetrics(call, post, caller)) return undefined;
      return { impression_count: 0, url_link_clicks: 0, user_profile_clicks: 0, engagements: 0 };
    },
    organic_metrics: () => {
      if (!hasPrivateMetrics(call, post, caller)) return undefined;
      const { impression_count, like_count, reply_count, repost_count } = publicMetrics(call, post);
      const found = { impression_count, like_count, reply_count, repost_count };
      return { ...named(found, vocabulary), url_link_clicks: 0, user_profile_clicks: 0 };
    },
  };
  const asked = fields.flatMap((name) => {
    const value = parts[name]?.();
    return value === undefined ? [] : [[name, value] as const];
  });
  return { id: post.id, text: shown.text, [vocabulary.editHistory]: [post.id], ...Object.fromEntries(asked) };
}

function named({ repost_count, ...counts }: { repost_count: number; [name: string]: number }, names: Vocabulary) {
  return { [names.repostCount]: repost_count, ...counts };
}

function attachmentsOf(call: Call, post: Post) {
  if (isObject(post.data.poll)) return { poll_ids: [post.id] };
  const media = mediaOf(call, post);
  return media.length > 0 ? { media_keys: media.map(mediaKey) } : undefined;
}

function referencesOf(post: Post) {
  const references = [
    ...(post.inReplyTo === null ? [] : [{ type: 'replied_to', id: post.inReplyTo }]),
    ...(typeof post.data.quotedId === 'string' ? [{ type: 'quoted', id: post.data.quotedId }] : []),
  ];
  return references.length > 0 ? references : undefined;
}

function includesOf(call: Call, posts: readonly Post[], caller: Account, expanded: readonly string[]) {
  const { accounts } = call.sandbox.store;
  const wantedMedia = readFields(call, 'media.fields', mediaFields);
  const wantedUser = readUserFields(call);
  const includes: Record<string, unknown[]> = {};
  if (expanded.includes('attachments.media_keys')) {
    includes.media = posts.flatMap((post) => mediaOf(call, post)).map((media) => presentMedia(media, wantedMedia));
  }
  if (expanded.includes('author_id')) {
    const authors = new Set(posts.map((post) => post.accountId));
    includes.users = Array.from(authors).flatMap((id) => {
      const account = accounts.find('twitter', id);
      return account ? [presentUser(call, account, caller, wantedUser)] : [];
    });
  }
  if (expanded.includes('attachments.poll_ids')) includes.polls = posts.flatMap((post) => pollOf(post) ?? []);
  const { references, included } = vocabularyOf(call);
  if (expanded.some((name) => name.startsWith(references))) {
    const ids = posts.flatMap((post) => referencesOf(post) ?? []).map(({ id }) => id);
    const found = Array.from(new Set(ids)).flatMap((id) => findPost(call, id) ?? []);
    includes[included] = found.map((post) => presentPost(call, post, caller, []));
  }
  return Object.fromEntries(Object.entries(includes).filter(([, found]) => found.length > 0));
}

function pollOf(post: Post) {
  const { poll } = post.data;
  if (!isObject(poll)) return undefined;
  const options = asTexts(poll.options).map((label, index) => ({ position: index + 1, label, votes: 0 }));
  return { id: post.id, options };
}

function privateErrors(call: Call, post: Post, caller: Account, fields: readonly string[]) {
  const wanted = privateFields.filter((name) => fields.includes(name));
  if (hasPrivateMetrics(call, post, caller)) return [];
  return wanted.map((field) => ({
    resource_id: post.id,
    resource_type: 'tweet',
    parameter: vocabularyOf(call).parameter,
    field,
    section: 'data',
    title: 'Field Authorization Error',
    detail: `Sorry, you are not authorized to access '${field}' on the Tweet with id : [${post.id}].`,
    type: problemType('not-authorized-for-field'),
  }));
}

/** Private metrics exist for the caller's own posts of the last 30 days. */
function hasPrivateMetrics(call: Call, post: Post, caller: Account): boolean {
  return post.accountId === caller.id && post.createdAt > call.sandbox.now() - privateMetricsMs;
}

function mediaOf(call: Call, post: Post) {
  return post.media.flatMap((id) => call.sandbox.store.media.find('twitter', id) ?? []);
}

function findPost(call: Call, id: string | null): Post | undefined {
  return id === null ? undefined : call.sandbox.store.posts.find('twitter', asText(id));
}
