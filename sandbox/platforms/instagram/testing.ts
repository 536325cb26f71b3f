import type { Json } from '../../http/json.ts';
import { oauthApp } from '../../oauth/oauth-app.ts';
import type { StartOptions } from '../../server.ts';
import { startFileHost } from '../../test-file-host.ts';
import { makeJpeg } from '../../test-media.ts';
import { type readResponse, startTestSandbox } from '../../testing.ts';

type Fields = { [name: string]: Json };
type TestResponse = ReturnType<typeof readResponse>;

export const redirectUri = 'https://app.test/callback?keep=1';

/** Starts a sandbox with the calls that most Instagram tests need. */
export async function startInstagram(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  const host = await startFileHost();
  return {
    ...sandbox,
    host,
    posts: () => sandbox.posts('instagram'),
    fault: (fault: Fields) => sandbox.fault({ network: 'instagram', ...fault }),
    async person(handle: string) {
      const created = await sandbox.sendJson('POST', '/_control/accounts', { network: 'instagram', handle });
      const { account, credentials } = await created.json();
      return { account, credentials, ...callsAs(sandbox, host, credentials.accessToken, credentials.userId) };
    },
    as: (accessToken: string, userId: string) => callsAs(sandbox, host, accessToken, userId),
    authorizePath(change: Record<string, string> = {}) {
      const scope = 'instagram_business_basic,instagram_business_content_publish';
      const asked = {
        client_id: oauthApp.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state: 's1',
        scope,
      };
      return `/www.instagram.com/oauth/authorize?${new URLSearchParams({ ...asked, ...change })}`;
    },
    async consent(choice: Record<string, string>, change: Record<string, string> = {}) {
      const body = new URLSearchParams({ decision: 'allow', account: 'new', ...choice });
      const response = await sandbox.at(this.authorizePath(change), { method: 'POST', body });
      return new URL(response.headers.get('location') ?? 'none:');
    },
    exchange(code: string, change: Record<string, string> = {}) {
      const { clientId: client_id, clientSecret: client_secret } = oauthApp;
      const body = { client_id, client_secret, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
      return sandbox.at('/api.instagram.com/oauth/access_token', {
        method: 'POST',
        body: new URLSearchParams({ ...body, ...change }),
      });
    },
    tokens: (path: string, query: Record<string, string>) =>
      sandbox.at(`/graph.instagram.com/${path}?${new URLSearchParams(query)}`),
  };
}

/** Returns status, code and subcode of an error. */
export async function errorOf(response: TestResponse | Promise<TestResponse>) {
  const { status, json } = await response;
  const { error } = await json();
  return [status, error?.code, error?.error_subcode];
}

function callsAs(
  { at, sendJson }: Awaited<ReturnType<typeof startTestSandbox>>,
  host: (bytes: Buffer) => string,
  accessToken: string,
  userId: string,
) {
  const api = '/graph.instagram.com/v25.0';
  const headers = { authorization: `Bearer ${accessToken}` };
  const send = (path: string, body: Fields) => sendJson('POST', api + path, body, headers);
  const get = (path: string) => at(api + path, { headers });
  const create = (fields: Fields) => send(`/${userId}/media`, fields);
  const publish = (creation_id: string) => send(`/${userId}/media_publish`, { creation_id });
  return {
    get,
    send,
    create,
    publish,
    created: async (fields: Fields) => idOf(await create(fields)),
    published: async (fields: Fields) => idOf(await publish(await idOf(await create(fields)))),
    /** Publishes an image and returns the id of the post. */
    photo: async (caption: string) =>
      idOf(await publish(await idOf(await create({ image_url: host(makeJpeg()), caption })))),
    status: async (id: string) => (await get(`/${id}?fields=status_code,status`)).json(),
  };
}

async function idOf(response: TestResponse): Promise<string> {
  const { id } = await response.json();
  if (response.status !== 200 || typeof id !== 'string') throw new Error(`Not created: ${response.status}`);
  return id;
}
