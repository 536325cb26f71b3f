import type { Json } from '../../http/json.ts';
import type { StartOptions } from '../../server.ts';
import { startTestSandbox } from '../../testing.ts';

/** Starts a sandbox with the calls that most X tests need. */
export async function startX(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  return {
    ...sandbox,
    posts: () => sandbox.posts('twitter'),
    fault: (fault: { [name: string]: Json }) => sandbox.fault({ network: 'twitter', ...fault }),
    turn: (name: string, on: boolean) =>
      sandbox.sendJson('POST', '/_control/switches', { network: 'twitter', name, on }),
    async person(handle: string, premium = false) {
      const created = await sandbox.sendJson('POST', '/_control/accounts', { network: 'twitter', handle, premium });
      const { account, credentials } = await created.json();
      return { account, credentials, ...callsAs(sandbox, credentials.accessToken) };
    },
    as: (accessToken: string) => callsAs(sandbox, accessToken),
  };
}

function callsAs({ at, sendJson }: Awaited<ReturnType<typeof startTestSandbox>>, accessToken: string) {
  const api = '/api.x.com/2';
  const headers = { authorization: `Bearer ${accessToken}` };
  const send = (method: string, path: string, body: Json) => sendJson(method, api + path, body, headers);
  const sendForm = (path: string, fields: Record<string, string | Uint8Array>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') body.set(name, value);
      else body.set(name, new Blob([new Uint8Array(value)]), 'file.bin');
    }
    return at(api + path, { method: 'POST', body, headers });
  };
  const finalize = (id: string) => at(`${api}/media/upload/${id}/finalize`, { method: 'POST', headers });
  return {
    get: (path: string) => at(api + path, { headers }),
    finalize,
    send,
    sendForm,
    publish: (body: { [name: string]: Json }) => send('POST', '/tweets', body),
    /** Publishes a post and returns its id. */
    async post(body: { [name: string]: Json }): Promise<string> {
      const response = await send('POST', '/tweets', body);
      if (response.status !== 201) throw new Error(await response.text());
      return (await response.json()).data.id;
    },
    upload: (media: Uint8Array, media_category = 'tweet_image') => sendForm('/media/upload', { media, media_category }),
    async uploadInChunks(
      media: Uint8Array,
      chunkBytes: number,
      media_type = 'video/mp4',
      media_category = 'tweet_video',
    ) {
      const begun = { media_type, media_category, total_bytes: media.length };
      const { data } = await (await send('POST', '/media/upload/initialize', begun)).json();
      for (let index = 0; index * chunkBytes < media.length; index += 1) {
        const chunk = media.subarray(index * chunkBytes, (index + 1) * chunkBytes);
        await sendForm(`/media/upload/${data.id}/append`, { segment_index: String(index), media: chunk });
      }
      return finalize(data.id);
    },
  };
}
