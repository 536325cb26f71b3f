import type { Json } from '../../http/json.ts';
import type { StartOptions } from '../../server.ts';
import { startTestSandbox } from '../../testing.ts';

type Body = { [name: string]: Json };

export const version = '202609';
export const clientId = 'crier-sandbox';
export const clientSecret = 'crier-sandbox-secret-0123456789';
export const redirectUri = 'https://app.test/callback?keep=1';

/** The default body of a post. */
export const postBody = {
  commentary: 'Hello',
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
};

/** Starts a sandbox with the calls that most LinkedIn tests need. */
export async function startLinkedIn(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  const form = (path: string, fields: Record<string, string>) =>
    sandbox.at(path, { method: 'POST', body: new URLSearchParams(fields) });
  const authorizePath = (change: Record<string, string> = {}) => {
    const scope = 'openid profile w_member_social';
    const parameters = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 's1', scope };
    return `/www.linkedin.com/oauth/v2/authorization?${new URLSearchParams({ ...parameters, ...change })}`;
  };
  const consent = async (choice: Record<string, string>, change: Record<string, string> = {}) =>
    new URL((await form(authorizePath(change), { decision: 'allow', ...choice })).headers.get('location') ?? 'none:');
  const token = (fields: Record<string, string>) =>
    form('/www.linkedin.com/oauth/v2/accessToken', { client_id: clientId, client_secret: clientSecret, ...fields });
  const exchangeCode = (code: string, change: Record<string, string> = {}) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...change });

  /** Returns calls with this token. */
  const callsAs = (accessToken: string) => {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      'linkedin-version': version,
      'x-restli-protocol-version': '2.0.0',
    };
    const api = (path: string) => `/api.linkedin.com${path}`;
    return {
      headers,
      get: (path: string, more: Record<string, string> = {}) =>
        sandbox.at(api(path), { headers: { ...headers, ...more } }),
      send: (path: string, body: Body, more: Record<string, string> = {}) =>
        sandbox.sendJson('POST', api(path), body, { ...headers, ...more }),
      remove: (path: string) => sandbox.at(api(path), { method: 'DELETE', headers }),
      put: (address: string, bytes: Uint8Array) =>
        sandbox.at(address.replace('https:/', ''), { method: 'PUT', body: new Uint8Array(bytes), headers }),
    };
  };

  return {
    ...sandbox,
    posts: () => sandbox.posts('linkedin'),
    form,
    authorizePath,
    consent,
    token,
    exchangeCode,
    callsAs,
    /** Creates a member, or a page when the handle has the page prefix. */
    async account(handle: string) {
      const body = { network: 'linkedin', handle };
      const created = await (await sandbox.sendJson('POST', '/_control/accounts', body)).json();
      const { accessToken, organizationId } = created.credentials;
      const urn = `urn:li:${organizationId === null ? 'person' : 'organization'}:${created.account.id}`;
      const calls = callsAs(accessToken);
      const publish = (change: Body = {}) => calls.send('/rest/posts', { author: urn, ...postBody, ...change });
      return {
        ...created,
        ...calls,
        urn,
        publish,
        published: async (change: Body = {}) => idOf(await publish(change)),
        comment: (on: string, text: string, more: Body = {}) =>
          calls.send(`/rest/socialActions/${encodeURIComponent(on).replace('(', '%28').replace(')', '%29')}/comments`, {
            actor: urn,
            object: on,
            message: { text },
            ...more,
          }),
        /** Uploads a file and returns its URN. */
        async upload(kind: 'image' | 'document', bytes: Uint8Array): Promise<string> {
          const request = { initializeUploadRequest: { owner: urn } };
          const { value } = await (await calls.send(`/rest/${kind}s?action=initializeUpload`, request)).json();
          await calls.put(value.uploadUrl, bytes);
          return value[kind];
        },
      };
    },
    /** Creates a member who grants only these scopes. */
    async allowing(handle: string, scope: string) {
      const back = await consent({ account: 'new', handle }, { scope });
      const { access_token } = await (await exchangeCode(back.searchParams.get('code') ?? '')).json();
      return callsAs(access_token);
    },
  };
}

export function idOf(response: { status: number; headers: Headers }): string {
  const id = response.headers.get('x-restli-id');
  if (response.status !== 201 || id === null) throw new Error(`Not created: ${response.status}`);
  return id;
}
