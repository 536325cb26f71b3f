import { publishFromContainer } from '../graph/publish.ts';
import { assertWithinLimit } from '../graph/publishing-limit.ts';
import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';
import {
  carouselParameters,
  containerApi,
  isStory,
  itemParameters,
  type Post,
  singleParameters,
  storyHoldsOne,
} from './container.ts';
import { quotaUsedUp } from './failure.ts';
import { listPosts } from './find.ts';

/** Meta's documents disagree on the number of posts in 24 hours: 25, 50 or 100. The account reports its own. */
const limitApi = { call, quotaUsedUp, limitEdge: 'content_publishing_limit' };

export async function publish(post: Post, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const { media, text } = post;
  const [first, ...others] = media;
  if (!first) throw new PlatformError('rejected', 'An Instagram post needs an image or a video. Add one.');
  if (isStory(post) && others.length > 0) throw new PlatformError('rejected', storyHoldsOne);
  const container = {
    step: 'post',
    stepPrefix: '',
    media,
    text: isStory(post) ? null : text,
    replyTo: null,
    itemParameters,
    parameters: async (itemIds: readonly string[]) =>
      itemIds.length > 0 ? carouselParameters(itemIds, post) : singleParameters(first, post),
    assertMayPublish: () => assertWithinLimit(0, limitApi, ctx),
    listPosts: (limit?: number) => listPosts(isStory(post) ? 'stories' : 'media', ctx, limit),
  };
  return publishFromContainer(container, containerApi, ctx);
}
