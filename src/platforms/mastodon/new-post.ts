import type { RemotePost } from '../kit/index.ts';
import type { Status } from './api.ts';

/** The request body, with Mastodon's field names. */
export interface NewPost {
  status: string;
  /** Without it, the account's default would apply, which may be private. */
  visibility: 'public';
  in_reply_to_id?: string;
  media_ids?: string[];
}

export const remotePost = ({ id, url }: Status): RemotePost => ({ id, url });
