import { publishFromContainer } from '../graph/publish.ts';
import { assertWithinLimit } from '../graph/publishing-limit.ts';
import { type PublishContext, partStep, type RemotePost, type Thread } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';
import { containerApi, itemParameters, type Post, postParameters } from './container.ts';
import { quotaUsedUp } from './failure.ts';
import { listPosts, listReplies } from './find.ts';
import { assertPartLength, assertPostLength } from './text.ts';
import { assertMayReply } from './thread-permission.ts';

type Ctx = PublishContext<Credentials>;

const limitApi = { call, quotaUsedUp, limitEdge: 'threads_publishing_limit' };

export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  assertPostLength(post.text);
  return publishPart({ step: 'post', post, replyTo: null }, () => assertWithinLimit(0, limitApi, ctx), ctx);
}

/** Each part replies to the previous one. Before publishing the first, check that all of them may be published. */
export async function publishThread(parts: Thread<Post['settings']>, ctx: Ctx): Promise<RemotePost[]> {
  for (const { text } of parts) assertPartLength(text);
  const assertMayBegin = async () => {
    await assertMayReply(ctx);
    await assertWithinLimit(parts.length - 1, limitApi, ctx);
  };
  const posts: RemotePost[] = [];
  for (const [index, post] of parts.entries()) {
    const part = { step: partStep(index), post, replyTo: posts.at(-1)?.id ?? null };
    posts.push(await publishPart(part, index === 0 ? assertMayBegin : async () => {}, ctx));
  }
  return posts;
}

interface Part {
  step: string;
  post: Post;
  replyTo: string | null;
}

function publishPart({ step, post, replyTo }: Part, assertMayPublish: () => Promise<void>, ctx: Ctx) {
  const container = {
    step,
    stepPrefix: `${step} `,
    media: post.media,
    text: post.text,
    replyTo,
    itemParameters,
    parameters: (itemIds: readonly string[]) => postParameters(post, itemIds, replyTo),
    assertMayPublish,
    listPosts: (limit?: number) => (replyTo ? listReplies(replyTo, ctx) : listPosts(ctx, limit)),
  };
  return publishFromContainer(container, containerApi, ctx);
}
