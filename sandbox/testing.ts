import { onTestFinished } from 'vitest';
import type { Json } from './http/json.ts';
import { type StartOptions, startSandbox } from './server.ts';

/** Starts a sandbox for one test, on a free port, with the calls that most tests need. */
export async function startTestSandbox(options: Partial<StartOptions> = {}) {
  const running = await startSandbox({ port: 0, folder: null, ...options });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await running.close();
    isOpen = false;
  };
  onTestFinished(close);

  const at = async (path: string, init?: RequestInit) =>
    readResponse(await fetch(running.url + path, { redirect: 'manual', ...init }));
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
    /** Creates an account, and returns it with its credentials and with calls to its server as that account. */
    async account(handle: string, network = 'mastodon') {
      const created = await (await sendJson('POST', '/_control/accounts', { network, handle })).json();
      const { accessToken, instance } = created.credentials;
      const authorization = `Bearer ${accessToken}`;
      const base = `/${instance}`;
      return {
        ...created,
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

/** A response with untyped JSON: a test that reads a missing property fails at its expectation anyway. */
export function readResponse(response: Response) {
  const { status, headers } = response;
  return {
    status,
    headers,
    text: () => response.text(),
    arrayBuffer: () => response.arrayBuffer(),
    json: async () => JSON.parse(await response.text()),
  };
}
