import type { JsonObject } from '../../../http/json.ts';
import type { Call, Sandbox } from '../../../platform.ts';
import { Refusal } from '../../../platform.ts';
import type { StoredFile } from '../../../store/files.ts';
import { text } from '../errors.ts';
import type { Metadata } from '../videos/metadata.ts';

/** An announced upload that can be resumed. It creates at most one video. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly metadata: Metadata;
  readonly parts: readonly string[];
  /** The call that opened the session, with which the post is recorded. */
  readonly request: { readonly headers: Record<string, string>; readonly fields: JsonObject };
  readonly startedAt: number;
  /** Null when the client did not announce it. */
  readonly totalBytes: number | null;
  readonly receivedBytes: number;
  readonly chunks: readonly StoredFile[];
  readonly videoId: string | null;
}

const sessionLifeMs = 7 * 86_400_000;

export function saveSession({ store }: Sandbox, session: Session): Session {
  const data = JSON.parse(JSON.stringify(session)) as JsonObject;
  store.records.put('youtube', 'session', session.id, data, session.accountId);
  return session;
}

export function openSession(call: Call): Session {
  const { store, now } = call.sandbox;
  const record = store.records.find('youtube', 'session', call.query.get('upload_id') ?? '');
  if (!record) throw new Refusal(text(404, 'Not Found'));
  // Only `saveSession` writes these records.
  const session = record.data as unknown as Session;
  if (session.startedAt <= now() - sessionLifeMs) throw new Refusal(text(410, 'Gone'));
  return session;
}

/** Counts the sessions of one channel since a time. */
export function countSessions({ store }: Sandbox, accountId: string, since: number): number {
  const sessions = store.records.list('youtube', 'session', accountId);
  return sessions.filter(({ data }) => Number(data.startedAt) > since).length;
}
