import type { Json } from '../../http/json.ts';
import { oauthApp } from '../../oauth/oauth-app.ts';
import type { StartOptions } from '../../server.ts';
import { tinyMp4 } from '../../test-media.ts';
import { startTestSandbox } from '../../testing.ts';

type Body = { [name: string]: Json };

export const redirectUri = 'https://app.test/callback';
export const allScopes = 'user.info.basic,user.info.profile,user.info.stats,video.list,video.publish,video.upload';

/** Starts a sandbox with the calls that most TikTok tests need. */
export async function startTikTok(options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  const form = (path: string, fields: Record<string, string>) =>
    sandbox.at(path, { method: 'POST', body: new URLSearchParams(fields) });
  const authorizePath = (change: Record<string, string> = {}) => {
    const asked = { client_key: oauthApp.clientId, response_type: 'code', redirect_uri: redirectUri, state: 's1' };
    return `/www.tiktok.com/v2/auth/authorize/?${new URLSearchParams({ ...asked, scope: allScopes, ...change })}`;
  };
  const token = (fields: Record<string, string>) =>
    form('/open.tiktokapis.com/v2/oauth/token/', {
      client_key: oauthApp.clientId,
      client_secret: oauthApp.clientSecret,
      ...fields,
    });

  return {
    ...sandbox,
    posts: () => sandbox.posts('tiktok'),
    fault: (fault: Body) => sandbox.fault({ network: 'tiktok', ...fault }),
    form,
    authorizePath,
    token,
    consent: async (choice: Record<string, string>, change: Record<string, string> = {}) =>
      new URL((await form(authorizePath(change), { decision: 'allow', ...choice })).headers.get('location') ?? 'none:'),
    as: (accessToken: string) => callsAs(sandbox, accessToken),
    async person(handle: string) {
      const body = { network: 'tiktok', handle };
      const created = await (await sandbox.sendJson('POST', '/_control/accounts', body)).json();
      return { ...created, ...callsAs(sandbox, created.credentials.accessToken) };
    },
  };
}

export function singleChunkPlan(size: number): Body {
  return { source: 'FILE_UPLOAD', video_size: size, chunk_size: size, total_chunk_count: 1 };
}

export const publicPost = { title: 'Hello', privacy_level: 'PUBLIC_TO_EVERYONE' };

export async function errorOf(response: { status: number; json(): Promise<{ error: { code: string } }> }) {
  return [response.status, (await response.json()).error.code];
}

function callsAs({ at, sendJson }: Awaited<ReturnType<typeof startTestSandbox>>, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const send = (path: string, body: Body = {}) => sendJson('POST', `/open.tiktokapis.com/v2${path}`, body, headers);
  const initVideo = (post_info: Body = {}, source_info: Body = singleChunkPlan(tinyMp4.length)) =>
    send('/post/publish/video/init/', { post_info: { ...publicPost, ...post_info }, source_info });
  const put = (address: string, bytes: Uint8Array, first = 0, total = bytes.length, more = {}) =>
    at(address.replace('https:/', ''), {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: {
        'content-type': 'video/mp4',
        'content-range': `bytes ${first}-${first + bytes.length - 1}/${total}`,
        ...more,
      },
    });
  return {
    get: (path: string) => at(`/open.tiktokapis.com/v2${path}`, { headers }),
    send,
    initVideo,
    put,
    initPhotos: (photo_images: Json[], change: Body = {}, post_info: Body = {}) =>
      send('/post/publish/content/init/', {
        media_type: 'PHOTO',
        post_mode: 'DIRECT_POST',
        post_info: { ...publicPost, ...post_info },
        source_info: { source: 'PULL_FROM_URL', photo_images, photo_cover_index: 0 },
        ...change,
      }),
    /** Uploads a video in one chunk and returns the id of its publication. */
    async publish(post_info: Body = {}, video: Uint8Array = tinyMp4): Promise<string> {
      const { data } = await (await initVideo(post_info, singleChunkPlan(video.length))).json();
      const sent = await put(data.upload_url, video);
      if (sent.status !== 201) throw new Error(`Not accepted: ${sent.status}`);
      return data.publish_id;
    },
    status: async (publish_id: string) => (await send('/post/publish/status/fetch/', { publish_id })).json(),
  };
}
