import { onTestFinished } from 'vitest';
import type { Json } from './json.ts';
import { type StartOptions, startSandbox } from './server.ts';

/** A sandbox of its own for one test, on a free port, with the calls that tests make most. */
export async function aSandbox(options: Partial<StartOptions> = {}) {
  const running = await startSandbox({ port: 0, folder: null, ...options });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await running.close();
    isOpen = false;
  };
  onTestFinished(close);

  const at = async (path: string, init?: RequestInit) =>
    answerOf(await fetch(running.url + path, { redirect: 'manual', ...init }));
  const sendJson = (method: string, path: string, body: Json, headers: Record<string, string> = {}) =>
    at(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });
  const read = async (path: string) => (await at(path)).json();

  return {
    url: running.url,
    close,
    at,
    sendJson,
    posts: (network = 'mastodon') => read(`/_control/posts?network=${network}`),
    requests: (network = 'mastodon') => read(`/_control/requests?network=${network}`),
    fault: (fault: { [name: string]: Json }) => sendJson('POST', '/_control/faults', { network: 'mastodon', ...fault }),
    /** An account with its token, and calls to its server as that account. */
    async account(handle: string, network = 'mastodon') {
      const made = await (await sendJson('POST', '/_control/accounts', { network, handle })).json();
      const { accessToken, instance } = made.credentials;
      const authorization = `Bearer ${accessToken}`;
      const base = `/${instance}`;
      return {
        ...made,
        get: (path: string) => at(base + path, { headers: { authorization } }),
        send: (method: string, path: string, body: Json, headers: Record<string, string> = {}) =>
          sendJson(method, base + path, body, { authorization, ...headers }),
        publish: (body: { [name: string]: Json }, headers: Record<string, string> = {}) =>
          sendJson('POST', `${base}/api/v1/statuses`, body, { authorization, ...headers }),
        upload(bytes: Uint8Array, fields: Record<string, string> = {}) {
          const form = new FormData();
          form.set('file', new Blob([new Uint8Array(bytes)]), 'file.bin');
          for (const [name, value] of Object.entries(fields)) form.set(name, value);
          return at(`${base}/api/v2/media`, { method: 'POST', body: form, headers: { authorization } });
        },
      };
    },
  };
}

/** A response whose JSON tests may read without saying its type: what is not there fails the expectation anyway. */
export function answerOf(response: Response) {
  const { status, headers } = response;
  return {
    status,
    headers,
    text: () => response.text(),
    arrayBuffer: () => response.arrayBuffer(),
    json: async () => JSON.parse(await response.text()),
  };
}

/** The smallest PNG there is. */
export const aPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Enough of an MP4 to be taken for one. */
export const anMp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(64)]);
