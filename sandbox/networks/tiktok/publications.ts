import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { redactHeaders } from '../../redact.ts';
import type { Sandbox } from '../../sandbox.ts';
import type { StoredFile } from '../../store/files.ts';
import type { PostInfo } from './post-info.ts';

/** One run of the vendor's publishing, from `init` to its end. Its id is never the id of the post. */
export interface Publication {
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'video' | 'photo';
  readonly source: 'FILE_UPLOAD' | 'PULL_FROM_URL';
  /** For the inbox of the app, where its owner would finish it. */
  readonly isDraft: boolean;
  readonly postInfo: PostInfo;
  /** The call to `init`, which the post is kept with. */
  readonly request: { readonly headers: Record<string, string>; readonly fields: JsonObject };
  readonly startedAt: number;
  readonly upload: Upload | null;
  readonly downloadedBytes: number;
  /** Set when all bytes are there. */
  readonly ending: Ending | null;
}

export interface Upload {
  readonly id: string;
  readonly token: string;
  readonly size: number;
  readonly chunkSize: number;
  readonly chunkCount: number;
  readonly receivedBytes: number;
  /** What has come, in order. */
  readonly chunks: readonly StoredFile[];
}

interface Ending {
  /** Until then it is processed. */
  readonly readyAt: number;
  /** Until then moderators look at what is to be public. */
  readonly publicAt: number;
  readonly failReason: string | null;
  /** Null for a failure, and for what goes to the inbox. */
  readonly postId: string | null;
}

type NewPublication = Pick<Publication, 'accountId' | 'kind' | 'source' | 'isDraft' | 'postInfo'> &
  Partial<Pick<Publication, 'upload'>>;

export function startPublication(call: Call, begun: NewPublication): Publication {
  const prefix =
    begun.kind === 'photo' ? 'p_pub_url~v2' : begun.source === 'FILE_UPLOAD' ? 'v_pub_file~v2-1' : 'v_pub_url~v2-1';
  return keep(call.sandbox, {
    id: `${begun.isDraft ? prefix.replace('pub', 'inbox') : prefix}.${newId(call.sandbox)}`,
    upload: null,
    ...begun,
    request: { headers: redactHeaders(call.headers), fields: call.body.fields },
    startedAt: call.sandbox.now(),
    downloadedBytes: 0,
    ending: null,
  });
}

export function keep({ store }: Sandbox, publication: Publication): Publication {
  const data = JSON.parse(JSON.stringify(publication)) as JsonObject;
  store.records.put('tiktok', 'publication', publication.id, data, publication.accountId);
  return publication;
}

export function findPublication({ store }: Sandbox, id: string): Publication | undefined {
  return read(store.records.find('tiktok', 'publication', id)?.data);
}

/** Of one account, or of all. */
export function publicationsOf({ store }: Sandbox, accountId?: string): Publication[] {
  return store.records.list('tiktok', 'publication', accountId).flatMap(({ data }) => read(data) ?? []);
}

/** Like the vendor's: seconds above, chance below; beyond what a JavaScript number can hold. */
export function newId(sandbox: Sandbox): string {
  const seconds = BigInt(Math.floor(sandbox.now() / 1000));
  return String((seconds << 32n) | BigInt(randomBytes(4).readUInt32BE()));
}

/** Only `keep` writes these. */
function read(data: unknown): Publication | undefined {
  return data as Publication | undefined;
}
