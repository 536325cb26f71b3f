import { application } from '../../application.ts';
import { aFileHost } from '../../graph/testing.ts';
import type { Json } from '../../json.ts';
import type { StartOptions } from '../../server.ts';
import { type answerOf, aSandbox } from '../../testing.ts';

export type Fields = { [name: string]: Json };
type Answered = ReturnType<typeof answerOf>;

const redirectUri = 'https://app.test/callback';
export const client_secret = application.clientSecret;

/** A sandbox with the calls to Threads that its tests make most. */
export async function aThreads(options: Partial<StartOptions> = {}) {
  const sandbox = await aSandbox(options);
  return {
    ...sandbox,
    host: await aFileHost(),
    posts: () => sandbox.posts('threads'),
    fault: (fault: Fields) => sandbox.fault({ network: 'threads', ...fault }),
    async person(handle: string) {
      const made = await sandbox.sendJson('POST', '/_control/accounts', { network: 'threads', handle });
      const { account, credentials } = await made.json();
      return { account, credentials, ...callsOf(sandbox, credentials.accessToken) };
    },
    /** A person who allowed these scopes only. */
    async allowing(handle: string, ...scopes: string[]) {
      const code = await this.consent(handle, scopes.join());
      const { access_token } = await (await this.exchange(code)).json();
      return callsOf(sandbox, access_token);
    },
    as: (accessToken: string) => callsOf(sandbox, accessToken),
    async consent(handle: string, scope: string, website = 'threads.net'): Promise<string> {
      const asked = { client_id: application.clientId, redirect_uri: redirectUri, response_type: 'code', scope };
      const path = `/${website}/oauth/authorize?${new URLSearchParams(asked)}`;
      const body = new URLSearchParams({ decision: 'allow', account: 'new', handle });
      const answer = await sandbox.at(path, { method: 'POST', body });
      return new URL(answer.headers.get('location') ?? 'none:').searchParams.get('code') ?? '';
    },
    exchange(code: string) {
      const { clientId: client_id } = application;
      const body = { client_id, client_secret, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
      return sandbox.at('/graph.threads.net/oauth/access_token', { method: 'POST', body: new URLSearchParams(body) });
    },
    tokens: (path: string, query: Record<string, string>) =>
      sandbox.at(`/graph.threads.net/${path}?${new URLSearchParams(query)}`),
  };
}

function callsOf({ at, sendJson }: Awaited<ReturnType<typeof aSandbox>>, accessToken: string) {
  const api = '/graph.threads.net/v1.0';
  const headers = { authorization: `Bearer ${accessToken}` };
  const send = (path: string, body: Fields) => sendJson('POST', api + path, body, headers);
  const get = (path: string) => at(api + path, { headers });
  const create = (fields: Fields) => send('/me/threads', fields);
  const publish = (creation_id: string) => send('/me/threads_publish', { creation_id });
  const published = async (fields: Fields) => idOf(await publish(await idOf(await create(fields))));
  return {
    get,
    send,
    create,
    publish,
    published,
    remove: (path: string) => at(api + path, { method: 'DELETE', headers }),
    created: async (fields: Fields) => idOf(await create(fields)),
    /** A post of words, or a reply. */
    write: (text: string, more: Fields = {}) => published({ media_type: 'TEXT', text, ...more }),
    status: async (id: string) => (await get(`/${id}?fields=status,error_message`)).json(),
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
