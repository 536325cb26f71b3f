import type { Json } from '../../http/json.ts';
import { oauthApp } from '../../oauth/oauth-app.ts';
import type { StartOptions } from '../../server.ts';
import { tinyMp4 } from '../../test-media.ts';
import { startTestSandbox } from '../../testing.ts';

type Fields = { [name: string]: Json };

/** Large enough to pass the minimum size for videos. */
export const largeMp4 = Buffer.concat([tinyMp4, Buffer.alloc(4096, 7)]);

/** Starts a sandbox with one Page and returns calls with that Page's token. */
export async function startWithPage(handle = 'bakery', options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox({ processingMs: 0, ...options });
  return { sandbox, ...(await createPage(sandbox, handle)) };
}

export async function createPage(sandbox: Awaited<ReturnType<typeof startTestSandbox>>, handle: string) {
  const { account, credentials } = await sandbox.account(handle, 'facebook');
  return { account, ...credentials, ...callsAs(sandbox, credentials.accessToken), pageId: credentials.pageId };
}

export function callsAs(sandbox: Awaited<ReturnType<typeof startTestSandbox>>, accessToken: string) {
  const base = '/graph.facebook.com/v26.0';
  const headers = { authorization: `Bearer ${accessToken}` };
  return {
    accessToken,
    get: (path: string) => sandbox.at(`${base}/${path}`, { headers }),
    post: (path: string, fields: Fields = {}) => sandbox.sendJson('POST', `${base}/${path}`, fields, headers),
    remove: (path: string) => sandbox.at(`${base}/${path}`, { method: 'DELETE', headers }),
    upload(path: string, part: string, bytes: Uint8Array, fields: Record<string, string> = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set(part, new Blob([new Uint8Array(bytes)]), 'file.bin');
      return sandbox.at(`${base}/${path}`, { method: 'POST', body: form, headers });
    },
    posts: () => sandbox.posts('facebook'),
  };
}

/** Returns status, code, subcode and message of a Graph error. */
export async function errorOf(response: Promise<{ status: number; json(): Promise<Fields> }>) {
  const { status, json } = await response;
  const { error } = (await json()) as { error: Fields };
  return { status, code: error?.code, subcode: error?.error_subcode, message: error?.message };
}

/** Starts a sandbox and returns the steps of the OAuth flow. */
export async function startOAuthClient(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  const redirectUri = 'https://app.test/callback';
  const scope = 'pages_show_list,pages_manage_posts,pages_read_engagement,pages_manage_engagement';
  const dialogPath = (more: Record<string, string> = {}) => {
    const asked = {
      client_id: oauthApp.clientId,
      redirect_uri: redirectUri,
      state: 's1',
      scope,
      response_type: 'code',
    };
    return `/www.facebook.com/v26.0/dialog/oauth?${new URLSearchParams({ ...asked, ...more })}`;
  };
  const consent = async (choice: Record<string, string>, more: Record<string, string> = {}) => {
    const response = await sandbox.at(dialogPath(more), { method: 'POST', body: new URLSearchParams(choice) });
    return new URL(response.headers.get('location') ?? 'none:');
  };
  const token = (more: Record<string, string>) => {
    const app = { client_id: oauthApp.clientId, client_secret: oauthApp.clientSecret };
    return sandbox.at(`/graph.facebook.com/v26.0/oauth/access_token?${new URLSearchParams({ ...app, ...more })}`);
  };
  const redeem = (code: string, more: Record<string, string> = {}) =>
    token({ code, redirect_uri: redirectUri, ...more });
  return { sandbox, redirectUri, dialogPath, consent, token, redeem };
}
