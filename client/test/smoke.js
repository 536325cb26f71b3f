// Uses the client in other runtimes than the tests do: Node 20, Bun, Deno, a browser. Throws on any mismatch.

/** `fileOf` makes a file from bytes in the form this runtime uses. */
export async function smoke({ Crier, ValidationError, verifyWebhook }, { baseUrl, apiKey, platform, image, delivery }) {
  const crier = new Crier({ baseUrl, apiKey });
  const refused = await crier.createPost({ content: '', platforms: [platform] }).catch((error) => error);
  if (!(refused instanceof ValidationError) || refused.code !== 'CONTENT_REQUIRED') throw refused;

  const { postGroupId } = await crier.createPost({ content: 'Hello', platforms: [platform] });
  const progress = [];
  const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0));
  const file = new Blob([bytes], { type: 'image/png' });
  const media = await crier.uploadMedia(file, {
    postGroupId,
    fileName: 'a.png',
    onProgress: ({ loaded }) => progress.push(loaded),
  });

  const posts = [];
  for await (const post of crier.listPosts({ limit: 1 })) posts.push(post.content);

  const streamed = [];
  for await (const { event } of crier.streamEvents({ events: 'post' })) {
    streamed.push(event);
    if (event === 'ready') await crier.deletePost({ postGroupId });
    if (event === 'post') break;
  }
  const { event } = await verifyWebhook(delivery.body, delivery.headers, delivery.secret);
  return { posts, media: media.status, sent: progress.at(-1), streamed, event };
}
