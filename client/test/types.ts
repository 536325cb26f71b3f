/** Checks what the types accept and reject. Only the compiler reads this file; it never runs. */
import { Crier, RateLimitError, verifyWebhook } from '@crier/client';

const crier = new Crier({ baseUrl: 'http://localhost:3000', apiKey: 'sk_…' });

export async function accepted(signal: AbortSignal): Promise<string> {
  const { postGroupId } = await crier.createPost({ content: 'Hi', platforms: ['mastodon-1'], idempotencyKey: 'a' });
  await crier.createPost({ platforms: ['mastodon-1'], publishNow: true }, { signal, idempotencyKey: 'a' });
  await crier.updatePost({ postGroupId, scheduledTime: null, status: 'draft' });
  const page = await crier.listPosts({ status: 'failed', limit: 100 });
  for await (const { content } of crier.listPosts()) console.log(content);
  await crier.importPosts({ posts: [{ content: 'Hi', platforms: ['mastodon-1'], idempotencyKey: 'a' }], dryRun: true });
  const file = await crier.uploadMedia(new Blob([]), {
    postGroupId,
    onProgress: ({ loaded, total }) => loaded / total,
  });
  const post = await crier.waitUntilPublished(postGroupId, { timeoutMs: 1000 });
  for await (const event of crier.streamEvents({ format: 'webhook' }, { signal })) {
    if (event.event === 'target') console.log(event.data.permalink?.length);
  }
  const event = await verifyWebhook('{}', new Headers(), 'secret');
  if (event.event === 'post.failed') console.log(event.data.error.code);
  try {
    await crier.listWebhooks();
  } catch (error) {
    if (error instanceof RateLimitError) console.log(error.retryAfterSeconds?.toFixed());
  }
  return `${page.pagination.totalItems} ${file.status} ${post.posts[0]?.permalink}`;
}

export async function refused() {
  // @ts-expect-error The key is a text.
  new Crier({ baseUrl: 'http://localhost:3000', apiKey: 7 });
  // @ts-expect-error The address is missing.
  new Crier({ apiKey: 'sk_…' });
  // @ts-expect-error `platforms` is missing.
  await crier.createPost({ content: 'Hi' });
  // @ts-expect-error There is no such field.
  await crier.createPost({ contnet: 'Hi', platforms: [] });
  // @ts-expect-error There is no such status.
  await crier.createPost({ content: 'Hi', platforms: [], status: 'published' });
  // @ts-expect-error A setting has another type.
  await crier.createPost({ platforms: [], platformSettings: { tiktok: { allowComments: 'yes' } } });
  // @ts-expect-error The id is missing.
  await crier.getPost({});
  // @ts-expect-error The id is in an object.
  await crier.getPost('0199f1c2a3b4c5d6e7f80911');
  // @ts-expect-error There is no such order.
  await crier.listPosts({ sortBy: 'content' });
  // @ts-expect-error Each post of an import has its own key.
  await crier.importPosts({ posts: [{ content: 'Hi', platforms: [] }] });
  // @ts-expect-error A name is a text.
  await crier.uploadMedia(new Blob([]), { fileName: 1 });
  // @ts-expect-error The answer has no such field.
  (await crier.getPost({ postGroupId: 'x' })).post;
  // @ts-expect-error There is no such method.
  await crier.publishPost({});
  // @ts-expect-error The route has no input.
  await crier.listWebhooks({ page: 1 });
}
