import type { Json, JsonObject } from '../../http/json.ts';
import type { StartOptions } from '../../server.ts';
import { startTestSandbox } from '../../testing.ts';

export const createdAt = '2026-11-15T12:00:00.000Z';

/** Starts a sandbox with the calls that most Bluesky tests need. */
export async function startBluesky(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  return {
    at: sandbox.at,
    sendJson: sandbox.sendJson,
    posts: () => sandbox.posts('bluesky'),
    requests: () => sandbox.requests('bluesky'),
    fault: (fault: JsonObject) => sandbox.fault({ network: 'bluesky', ...fault }),
    change: (change: JsonObject) => sandbox.sendJson('PATCH', '/_control/accounts', { network: 'bluesky', ...change }),
    /** Public reads, by default at the AppView. */
    read: (nsid: string, parameters: string, host = 'public.api.bsky.app') =>
      sandbox.at(`/${host}/xrpc/${nsid}?${parameters}`),

    async account(handle: string) {
      const response = await sandbox.sendJson('POST', '/_control/accounts', { network: 'bluesky', handle });
      const { account, credentials } = await response.json();
      const host = new URL(credentials.pds).host;
      const authorization = `Bearer ${credentials.accessJwt}`;
      const query = (nsid: string, parameters = '', server = host) =>
        sandbox.at(`/${server}/xrpc/${nsid}?${parameters}`, { headers: { authorization } });
      const procedure = (nsid: string, input: Json, server = host) =>
        sandbox.sendJson('POST', `/${server}/xrpc/${nsid}`, input, { authorization });
      const write = (method: string, fields: JsonObject, more: JsonObject = {}) =>
        procedure(`com.atproto.repo.${method}`, {
          repo: account.id,
          collection: 'app.bsky.feed.post',
          record: { $type: 'app.bsky.feed.post', text: '', createdAt, ...fields },
          ...more,
        });
      return {
        account,
        credentials,
        host,
        did: String(account.id),
        query,
        procedure,
        create: (fields: JsonObject, more?: JsonObject) => write('createRecord', fields, more),
        put: (rkey: string, fields: JsonObject, more?: JsonObject) => write('putRecord', fields, { rkey, ...more }),
        upload: (bytes: Uint8Array, type = 'image/png') =>
          sandbox.at(`/${host}/xrpc/com.atproto.repo.uploadBlob`, {
            method: 'POST',
            body: new Uint8Array(bytes),
            headers: { authorization, 'content-type': type },
          }),
        refresh: (token: string) =>
          sandbox.at(`/${host}/xrpc/com.atproto.server.refreshSession`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
          }),
        createSession: (password: string, identifier: string = account.handle, server = host) =>
          sandbox.sendJson('POST', `/${server}/xrpc/com.atproto.server.createSession`, { identifier, password }),
        async serviceToken(aud: string, lxm: string): Promise<string> {
          const parameters = new URLSearchParams({ aud, lxm });
          return (await (await query('com.atproto.server.getServiceAuth', String(parameters))).json()).token;
        },
      };
    },
  };
}

export type Member = Awaited<ReturnType<Awaited<ReturnType<typeof startBluesky>>['account']>>;
