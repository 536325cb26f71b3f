import type { RemotePost } from '../kit/index.ts';

/** Addresses come without a host at times: `/reel/123/`. */
export const remotePost = (id: string, permalink: string | undefined): RemotePost => ({
  id,
  url: new URL(permalink || id, 'https://www.facebook.com/').href,
});
