import { application } from '../../application.ts';
import type { Json } from '../../json.ts';
import type { StartOptions } from '../../server.ts';
import { anMp4, aSandbox } from '../../testing.ts';

type Fields = { [name: string]: Json };

/** Big enough to be taken for a video. */
export const aFilm = Buffer.concat([anMp4, Buffer.alloc(4096, 7)]);

/** A sandbox with one Page, and calls with that Page's token. */
export async function aPage(handle = 'bakery', options: Partial<StartOptions> = {}) {
  const sandbox = await aSandbox({ processingMs: 0, ...options });
  return { sandbox, ...(await pageIn(sandbox, handle)) };
}

export async function pageIn(sandbox: Awaited<ReturnType<typeof aSandbox>>, handle: string) {
  const { account, credentials } = await sandbox.account(handle, 'facebook');
  return { account, ...credentials, ...callsWith(sandbox, credentials.accessToken), pageId: credentials.pageId };
}

export function callsWith(sandbox: Awaited<ReturnType<typeof aSandbox>>, accessToken: string) {
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
    /** The bytes of a reel, to the address that the first phase gave. */
    send: (address: string, body: Uint8Array, more: Record<string, string> = {}) =>
      sandbox.at(address.replace('https:/', ''), {
        method: 'POST',
        body: new Uint8Array(body),
        headers: {
          authorization: `OAuth ${accessToken}`,
          offset: '0',
          file_size: String(body.length),
          'content-type': 'application/octet-stream',
          ...more,
        },
      }),
    posts: () => sandbox.posts('facebook'),
  };
}

/** Status, code, subcode and words of a Graph error. */
export async function errorOf(answer: Promise<{ status: number; json(): Promise<Fields> }>) {
  const { status, json } = await answer;
  const { error } = (await json()) as { error: Fields };
  return { status, code: error?.code, subcode: error?.error_subcode, message: error?.message };
}

/** A person who comes to the consent page and back, and the app that then asks for a token. */
export async function aPerson(options: Partial<StartOptions> = {}) {
  const sandbox = await aSandbox(options);
  const redirectUri = 'https://app.test/callback';
  const scope = 'pages_show_list,pages_manage_posts,pages_read_engagement,pages_manage_engagement';
  const dialogPath = (more: Record<string, string> = {}) => {
    const asked = {
      client_id: application.clientId,
      redirect_uri: redirectUri,
      state: 's1',
      scope,
      response_type: 'code',
    };
    return `/www.facebook.com/v26.0/dialog/oauth?${new URLSearchParams({ ...asked, ...more })}`;
  };
  const consent = async (choice: Record<string, string>, more: Record<string, string> = {}) => {
    const answer = await sandbox.at(dialogPath(more), { method: 'POST', body: new URLSearchParams(choice) });
    return new URL(answer.headers.get('location') ?? 'none:');
  };
  const token = (more: Record<string, string>) => {
    const app = { client_id: application.clientId, client_secret: application.clientSecret };
    return sandbox.at(`/graph.facebook.com/v26.0/oauth/access_token?${new URLSearchParams({ ...app, ...more })}`);
  };
  const redeem = (code: string, more: Record<string, string> = {}) =>
    token({ code, redirect_uri: redirectUri, ...more });
  return { sandbox, redirectUri, dialogPath, consent, token, redeem };
}
