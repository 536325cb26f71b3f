import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../http/json.ts';
import { redactHeaders } from '../../../http/redact.ts';
import type { Call, Sandbox } from '../../../platform.ts';
import type { StoredFile } from '../../../store/files.ts';
import type { PostInfo } from './post-info.ts';

/** One run of the publishing flow, from `init` to its end. Its id differs from the id of the post. */
export interface Publication {
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'video' | 'photo';
  readonly source: 'FILE_UPLOAD' | 'PULL_FROM_URL';
  readonly postInfo: PostInfo;
  /** The `init` call, with which the post is recorded. */
  readonly request: { readonly headers: Record<string, string>; readonly fields: JsonObject };
  readonly startedAt: number;
  readonly upload: Upload | null;
  readonly downloadedBytes: number;
  /** Set when all bytes have arrived. */
  readonly ending: Ending | null;
}

export interface Upload {
  readonly id: string;
  readonly token: string;
  readonly size: number;
  readonly chunkSize: number;
  readonly chunkCount: number;
  readonly receivedBytes: number;
  /** The received chunks, in order. */
  readonly chunks: readonly StoredFile[];
}

interface Ending {
  /** When processing ends. */
  readonly readyAt: number;
  /** When moderation of a public post ends. */
  readonly publicAt: number;
  readonly failReason: string | null;
  /** Null after a failure. */
  readonly postId: string | null;
}

type NewPublication = Pick<Publication, 'accountId' | 'kind' | 'source' | 'postInfo'> &
  Partial<Pick<Publication, 'upload'>>;

export function startPublication(call: Call, started: NewPublication): Publication {
  const prefix =
    started.kind === 'photo' ? 'p_pub_url~v2' : started.source === 'FILE_UPLOAD' ? 'v_pub_file~v2-1' : 'v_pub_url~v2-1';
  return savePublication(call.sandbox, {
    id: `${prefix}.${newId(call.sandbox)}`,
    upload: null,
    ...started,
    request: { headers: redactHeaders(call.headers), fields: call.body.fields },
    startedAt: call.sandbox.now(),
    downloadedBytes: 0,
    ending: null,
  });
}

export function savePublication({ store }: Sandbox, publication: Publication): Publication {
  const data = JSON.parse(JSON.stringify(publication)) as JsonObject;
  store.records.put('tiktok', 'publication', publication.id, data, publication.accountId);
  return publication;
}

export function findPublication({ store }: Sandbox, id: string): Publication | undefined {
  return read(store.records.find('tiktok', 'publication', id)?.data);
}

/** Lists the publications of one account or of all accounts. */
export function publicationsOf({ store }: Sandbox, accountId?: string): Publication[] {
  return store.records.list('tiktok', 'publication', accountId).flatMap(({ data }) => read(data) ?? []);
}

/** Ids consist of seconds and random bits, like the vendor's. They exceed JavaScript's exact integers. */
export function newId(sandbox: Sandbox): string {
  const seconds = BigInt(Math.floor(sandbox.now() / 1000));
  return String((seconds << 32n) | BigInt(randomBytes(4).readUInt32BE()));
}

/** Only `savePublication` writes these records. */
function read(data: unknown): Publication | undefined {
  return data as Publication | undefined;
}
