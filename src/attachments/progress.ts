import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';

/** What a listener is told (contract: server-sent events of processing-progress). */
export type ProgressEvent =
  | { event: 'progress'; data: { percent: number } }
  | { event: 'done'; data: { mediaId: string } }
  | { event: 'error'; data: { code: string } };

/**
 * How far uploads are. Kept in the memory of the process that receives the upload: a listener whose request reaches
 * another process is told nothing. It is there for a progress bar; what became of a file is in the database.
 */
export interface ProgressBoard {
  report(session: string, event: ProgressEvent): void;
  /** All that is told of a session from now on, beginning with the last that was told. Ends with it. */
  listen(session: string): Readable;
  /** Ends all listening. */
  close(): void;
}

const cacheTtlMs = 10 * 60_000;
const maxCachedSessions = 1_000;

export interface ProgressOptions {
  heartbeatMs?: number;
  /** How long a listener may wait for a session to begin. */
  sessionTimeoutMs?: number;
}

export function progressBoard({
  heartbeatMs = 15_000,
  sessionTimeoutMs = 60_000,
}: ProgressOptions = {}): ProgressBoard {
  const latest = new LRUCache<string, ProgressEvent>({ max: maxCachedSessions, ttl: cacheTtlMs });
  const listeners = new Map<string, Set<(event: ProgressEvent) => void>>();
  const open = new Set<() => void>();

  function subscribe(session: string, tell: (event: ProgressEvent) => void) {
    const all = listeners.get(session) ?? new Set();
    listeners.set(session, all.add(tell));
    return () => {
      all.delete(tell);
      if (all.size === 0) listeners.delete(session);
    };
  }

  function listen(session: string): Readable {
    const stream = new Readable({ read() {} });
    const tell = ({ event, data }: ProgressEvent) => {
      clearTimeout(sessionTimeout);
      stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      if (event !== 'progress') end();
    };
    const sessionTimeout = setTimeout(
      () => tell({ event: 'error', data: { code: 'SESSION_NOT_FOUND' } }),
      sessionTimeoutMs,
    );
    // Proxies close what is silent for long.
    const heartbeat = setInterval(() => stream.push(': still here\n\n'), heartbeatMs);
    const unsubscribe = subscribe(session, tell);
    function end() {
      if (!open.delete(end)) return;
      unsubscribe();
      clearTimeout(sessionTimeout);
      clearInterval(heartbeat);
      stream.push(null);
    }
    open.add(end);
    // Whoever hangs up.
    stream.once('close', end);
    stream.push(': listening\n\n');
    const known = latest.get(session);
    if (known) tell(known);
    return stream;
  }

  return {
    report(session, event) {
      latest.set(session, event);
      for (const tell of [...(listeners.get(session) ?? [])]) tell(event);
    },
    listen,
    close() {
      for (const end of [...open]) end();
    },
  };
}
