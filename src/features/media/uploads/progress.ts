import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../../foundation/errors/index.ts';

/** An event of an upload (contract.md#process-video.progress). */
export type ProgressEvent =
  | { event: 'progress'; data: { percent: number } }
  | { event: 'done'; data: { mediaId: string } }
  | { event: 'error'; data: { code: string } };

/** The progress of uploads, in memory. It is meant for a progress bar; the outcome of an upload is in the database. */
export interface UploadProgress {
  report(session: string, event: ProgressEvent): void;
  /**
   * A stream of the last event and all further events of a session. It ends with the session, and with the access of its reader.
   * Throws if the user has too many.
   */
  listen(userId: string, session: string, isAllowed?: () => Promise<boolean>): Readable;
  /** Ends all streams. */
  close(): void;
}

const cacheTtlMs = 10 * 60_000;
const maxCachedSessions = 1_000;
/** An upload, and with it the streams that follow it, may take hours. */
const maxStreamsOfUser = 20;

export interface ProgressOptions {
  heartbeatMs?: number;
  /** How long a listener waits for a session to start. */
  sessionTimeoutMs?: number;
}

export function uploadProgress({
  heartbeatMs = 15_000,
  sessionTimeoutMs = 60_000,
}: ProgressOptions = {}): UploadProgress {
  const latest = new LRUCache<string, ProgressEvent>({ max: maxCachedSessions, ttl: cacheTtlMs });
  const listeners = new Map<string, Set<(event: ProgressEvent) => void>>();
  const open = new Map<() => void, string>();

  function subscribe(session: string, send: (event: ProgressEvent) => void) {
    const all = listeners.get(session) ?? new Set();
    listeners.set(session, all.add(send));
    return () => {
      all.delete(send);
      if (all.size === 0) listeners.delete(session);
    };
  }

  function listen(userId: string, session: string, isAllowed = async () => true): Readable {
    const streams = open.values().filter((owner) => owner === userId);
    if ([...streams].length >= maxStreamsOfUser) throw new Problem('too_many_streams', { retryAfterSec: 60 });
    const stream = new Readable({ read() {} });
    const send = ({ event, data }: ProgressEvent) => {
      clearTimeout(sessionTimeout);
      stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      if (event !== 'progress') end();
    };
    const sessionTimeout = setTimeout(
      () => send({ event: 'error', data: { code: 'SESSION_NOT_FOUND' } }),
      sessionTimeoutMs,
    );
    // Proxies close idle connections. An upload can take hours, so the reader's access is checked as often.
    const heartbeat = setInterval(async () => {
      if (!(await isAllowed())) end();
      else if (open.has(end)) stream.push(': still here\n\n');
    }, heartbeatMs);
    const unsubscribe = subscribe(session, send);
    function end() {
      if (!open.delete(end)) return;
      unsubscribe();
      clearTimeout(sessionTimeout);
      clearInterval(heartbeat);
      stream.push(null);
    }
    open.set(end, userId);
    // The client disconnected.
    stream.once('close', end);
    stream.push(': listening\n\n');
    const known = latest.get(session);
    if (known) send(known);
    return stream;
  }

  return {
    report(session, event) {
      latest.set(session, event);
      for (const send of [...(listeners.get(session) ?? [])]) send(event);
    },
    listen,
    close() {
      for (const end of [...open.keys()]) end();
    },
  };
}
