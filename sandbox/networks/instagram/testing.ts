import { application } from '../../application.ts';
import { aFileHost, aJpeg } from '../../graph/testing.ts';
import type { Json } from '../../json.ts';
import type { StartOptions } from '../../server.ts';
import { type answerOf, aSandbox } from '../../testing.ts';

type Fields = { [name: string]: Json };
type Answered = ReturnType<typeof answerOf>;

export const redirectUri = 'https://app.test/callback?keep=1';

/** A sandbox with the calls to Instagram that its tests make most. */
export async function anInstagram(options: Partial<StartOptions> = {}) {
  const sandbox = await aSandbox(options);
  const host = await aFileHost();
  return {
    ...sandbox,
    host,
    posts: () => sandbox.posts('instagram'),
    fault: (fault: Fields) => sandbox.fault({ network: 'instagram', ...fault }),
    async person(handle: string) {
      const made = await sandbox.sendJson('POST', '/_control/accounts', { network: 'instagram', handle });
      const { account, credentials } = await made.json();
      return { account, credentials, ...callsOf(sandbox, host, credentials.accessToken, credentials.userId) };
    },
    as: (accessToken: string, userId: string) => callsOf(sandbox, host, accessToken, userId),
    authorizePath(change: Record<string, string> = {}) {
      const scope = 'instagram_business_basic,instagram_business_content_publish';
      const asked = {
        client_id: application.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state: 's1',
        scope,
      };
      return `/www.instagram.com/oauth/authorize?${new URLSearchParams({ ...asked, ...change })}`;
    },
    async consent(choice: Record<string, string>, change: Record<string, string> = {}) {
      const body = new URLSearchParams({ decision: 'allow', account: 'new', ...choice });
      const answer = await sandbox.at(this.authorizePath(change), { method: 'POST', body });
      return new URL(answer.headers.get('location') ?? 'none:');
    },
    exchange(code: string, change: Record<string, string> = {}) {
      const { clientId: client_id, clientSecret: client_secret } = application;
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

function callsOf(
  { at, sendJson }: Awaited<ReturnType<typeof aSandbox>>,
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
    remove: (path: string) => at(api + path, { method: 'DELETE', headers }),
    created: async (fields: Fields) => idOf(await create(fields)),
    published: async (fields: Fields) => idOf(await publish(await idOf(await create(fields)))),
    /** A post with an image. */
    photo: async (caption: string) =>
      idOf(await publish(await idOf(await create({ image_url: host(aJpeg()), caption })))),
    status: async (id: string) => (await get(`/${id}?fields=status_code,status`)).json(),
  };
}

async function idOf(answer: Answered): Promise<string> {
  const { id } = await answer.json();
  if (answer.status !== 200 || typeof id !== 'string') throw new Error(`Not made: ${answer.status}`);
  return id;
}

/** Status, code and subcode of a refusal. */
export async function refusalOf(answer: Answered | Promise<Answered>) {
  const { status, json } = await answer;
  const { error } = await json();
  return [status, error?.code, error?.error_subcode];
}
