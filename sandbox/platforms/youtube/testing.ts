import type { Json } from '../../http/json.ts';
import { oauthApp } from '../../oauth/oauth-app.ts';
import type { StartOptions } from '../../server.ts';
import { tinyMp4 } from '../../test-media.ts';
import { startTestSandbox } from '../../testing.ts';

type Body = { [name: string]: Json };

const auth = 'https://www.googleapis.com/auth';
export const uploadScope = `${auth}/youtube.upload`;
export const forceSslScope = `${auth}/youtube.force-ssl`;
export const redirectUri = 'https://app.test/callback?keep=1';
export const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
export const videoBody = {
  snippet: { title: 'Demo', description: 'Hello', tags: ['a', 'b'], categoryId: '22' },
  status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
};

/** Starts a sandbox with the calls that most YouTube tests need. */
export async function startYouTube(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    sandbox.at(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const authorizePath = (change: Record<string, string> = {}) => {
    const parameters = {
      client_id: oauthApp.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: `${uploadScope} ${forceSslScope}`,
      access_type: 'offline',
      prompt: 'consent',
      state: 's1',
    };
    return `/accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams({ ...parameters, ...change })}`;
  };
  const token = (fields: Record<string, string>) =>
    form('/oauth2.googleapis.com/token', {
      client_id: oauthApp.clientId,
      client_secret: oauthApp.clientSecret,
      ...fields,
    });
  const consent = async (choice: Record<string, string>, change: Record<string, string> = {}) =>
    new URL((await form(authorizePath(change), { decision: 'allow', ...choice })).headers.get('location') ?? 'none:');
  const exchange = (back: URL, change: Record<string, string> = {}) => {
    const code = back.searchParams.get('code') ?? '';
    return token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...change });
  };

  return {
    ...sandbox,
    posts: () => sandbox.posts('youtube'),
    fault: (fault: Body) => sandbox.fault({ network: 'youtube', ...fault }),
    form,
    authorizePath,
    token,
    consent,
    exchange,
    as: (accessToken: string) => callsAs(sandbox, accessToken),
    async channel(handle: string) {
      const body = { network: 'youtube', handle };
      const created = await (await sandbox.sendJson('POST', '/_control/accounts', body)).json();
      return { ...created, ...callsAs(sandbox, created.credentials.accessToken) };
    },
    /** Creates an account that grants only these scopes. */
    async allowing(handle: string, scope: string) {
      const granted = await (await exchange(await consent({ handle }, { scope }))).json();
      return callsAs(sandbox, granted.access_token);
    },
  };
}

export async function errorOf(response: {
  status: number;
  json(): Promise<{ error: { errors: { reason: string }[] } }>;
}) {
  return [response.status, (await response.json()).error.errors[0]?.reason];
}

function callsAs({ at, sendJson }: Awaited<ReturnType<typeof startTestSandbox>>, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const host = '/www.googleapis.com';
  const send = (method: string, path: string, body: Body = {}) =>
    sendJson(method, `${host}/youtube/v3${path}`, body, headers);
  const start = (body: Body = videoBody, query = 'part=snippet,status', more: Record<string, string> = {}) =>
    sendJson('POST', `${host}/upload/youtube/v3/videos?uploadType=resumable&${query}`, body, { ...headers, ...more });
  /** Sends bytes to a session. `range` is the Content-Range. */
  const put = (session: string, bytes: Uint8Array = new Uint8Array(), range?: string, more = {}) =>
    at(session.replace('https:/', ''), {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { ...(range !== undefined && { 'content-range': range }), ...more },
    });
  const open = async (body?: Body, query?: string, more?: Record<string, string>) => {
    const response = await start(body, query, more);
    if (response.status !== 200) throw new Error(await response.text());
    return response.headers.get('location') ?? '';
  };
  return {
    headers,
    get: (path: string) => at(`${host}/youtube/v3${path}`, { headers }),
    remove: (path: string) => at(`${host}/youtube/v3${path}`, { method: 'DELETE', headers }),
    send,
    start,
    open,
    put,
    /** Uploads a video and returns its id. */
    async upload(change: { snippet?: Body; status?: Body } = {}, video: Uint8Array = tinyMp4): Promise<string> {
      const session = await open({
        snippet: { ...videoBody.snippet, ...change.snippet },
        status: { ...videoBody.status, ...change.status },
      });
      return (await (await put(session, video)).json()).id;
    },
    async video(id: string, part = 'snippet,status,processingDetails,contentDetails,statistics') {
      return (await (await at(`${host}/youtube/v3/videos?part=${part}&id=${id}`, { headers })).json()).items[0];
    },
    comment: (videoId: string, textOriginal: string) =>
      send('POST', '/commentThreads?part=snippet', {
        snippet: { videoId, topLevelComment: { snippet: { textOriginal } } },
      }),
    setThumbnail: (videoId: string, bytes: Uint8Array) =>
      at(`${host}/upload/youtube/v3/thumbnails/set?videoId=${videoId}&uploadType=media`, {
        method: 'POST',
        body: new Uint8Array(bytes),
        headers: { ...headers, 'content-type': 'image/png' },
      }),
  };
}
