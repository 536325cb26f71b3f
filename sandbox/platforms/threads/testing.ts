import type { Json } from '../../http/json.ts';
import { oauthApp } from '../../oauth/oauth-app.ts';
import type { StartOptions } from '../../server.ts';
import { startFileHost } from '../../test-file-host.ts';
import { type readResponse, startTestSandbox } from '../../testing.ts';

export type Fields = { [name: string]: Json };
type TestResponse = ReturnType<typeof readResponse>;

const redirectUri = 'https://app.test/callback';
export const client_secret = oauthApp.clientSecret;

/** Starts a sandbox with the calls that most Threads tests need. */
export async function startThreads(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  return {
    ...sandbox,
    host: await startFileHost(),
    posts: () => sandbox.posts('threads'),
    fault: (fault: Fields) => sandbox.fault({ network: 'threads', ...fault }),
    async person(handle: string) {
      const created = await sandbox.sendJson('POST', '/_control/accounts', { network: 'threads', handle });
      const { account, credentials } = await created.json();
      return { account, credentials, ...callsAs(sandbox, credentials.accessToken) };
    },
    /** Creates an account that grants only these scopes. */
    async allowing(handle: string, ...scopes: string[]) {
      const code = await this.consent(handle, scopes.join());
      const { access_token } = await (await this.exchange(code)).json();
      return callsAs(sandbox, access_token);
    },
    as: (accessToken: string) => callsAs(sandbox, accessToken),
    async consent(handle: string, scope: string, website = 'threads.net'): Promise<string> {
      const asked = { client_id: oauthApp.clientId, redirect_uri: redirectUri, response_type: 'code', scope };
      const path = `/${website}/oauth/authorize?${new URLSearchParams(asked)}`;
      const body = new URLSearchParams({ decision: 'allow', account: 'new', handle });
      const response = await sandbox.at(path, { method: 'POST', body });
      return new URL(response.headers.get('location') ?? 'none:').searchParams.get('code') ?? '';
    },
    exchange(code: string) {
      const { clientId: client_id } = oauthApp;
      const body = { client_id, client_secret, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
      return sandbox.at('/graph.threads.net/oauth/access_token', { method: 'POST', body: new URLSearchParams(body) });
    },
    tokens: (path: string, query: Record<string, string>) =>
      sandbox.at(`/graph.threads.net/${path}?${new URLSearchParams(query)}`),
  };
}

/** Returns status, code and subcode of an error. */
export async function errorOf(response: TestResponse | Promise<TestResponse>) {
  const { status, json } = await response;
  const { error } = await json();
  return [status, error?.code, error?.error_subcode];
}

function callsAs({ at, sendJson }: Awaited<ReturnType<typeof startTestSandbox>>, accessToken: string) {
  const api = '/graph.threads.net/v1.0';
  const signed = (path: string) => {
    const [plain, query = ''] = path.split('?', 2);
    return `${api}${plain}?${new URLSearchParams([...new URLSearchParams(query), ['access_token', accessToken]])}`;
  };
  const send = (path: string, body: Fields) => sendJson('POST', api + path, { ...body, access_token: accessToken });
  const get = (path: string) => at(signed(path));
  const create = (fields: Fields) => send('/me/threads', fields);
  const publish = (creation_id: string) => send('/me/threads_publish', { creation_id });
  const published = async (fields: Fields) => idOf(await publish(await idOf(await create(fields))));
  return {
    get,
    send,
    create,
    publish,
    published,
    remove: (path: string) => at(signed(path), { method: 'DELETE' }),
    created: async (fields: Fields) => idOf(await create(fields)),
    /** Publishes a text post or a reply. */
    write: (text: string, more: Fields = {}) => published({ media_type: 'TEXT', text, ...more }),
    status: async (id: string) => (await get(`/${id}?fields=status,error_message`)).json(),
  };
}

async function idOf(response: TestResponse): Promise<string> {
  const { id } = await response.json();
  if (response.status !== 200 || typeof id !== 'string') throw new Error(`Not created: ${response.status}`);
  return id;
}
