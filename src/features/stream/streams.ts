import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import type { InputWarning } from '../../foundation/http/requests/input-warnings.ts';
import { signedHeaders } from '../webhooks/delivery/sign.ts';
import { openChangeFeed } from './change-feed.ts';
import { readCursor } from './cursor.ts';
import { openStreamCount } from './metrics.ts';
import type { Change } from './queries.ts';
import { type EventStream, maxMissedBytes, openEventStream } from './sse.ts';

export interface StreamRequest {
  userId: string;
  ownerId: string;
  /** The users whose changes are sent. Default: the user alone. */
  sources?: readonly string[];
  /** The position of a client that reconnects. */
  lastEventId: string | undefined;
  /** Sends the requests that webhooks receive instead of changes. */
  asWebhook: boolean;
  /** Null for all. */
  names: ReadonlySet<string> | null;
  /** Warnings about parts of the request that have no effect. */
  warnings?: readonly InputWarning[];
  /** Whether the credentials of the request still give access. */
  isAllowed(): Promise<boolean>;
}

export interface Streams {
  open(request: StreamRequest): Promise<Readable>;
  /** Ends every stream immediately. */
  close(): Promise<void>;
}

export interface StreamLimits {
  /** Per user and process. */
  readonly perUser: number;
  /** Per process, for an owner and all managed users together. */
  readonly perOwner: number;
  readonly heartbeatMs: number;
  /**
   * How often the credentials of a stream are checked. A change of keys, users or sessions triggers an immediate
   * check.
   */
  readonly recheckMs: number;
}

export const streamLimits: StreamLimits = { perUser: 20, perOwner: 200, heartbeatMs: 15_000, recheckMs: 60_000 };

interface OpenStream extends Pick<StreamRequest, 'userId' | 'ownerId' | 'isAllowed'> {
  readonly events: EventStream;
}

/** The event streams of this process. */
export function openStreams(app: Pick<App, 'db' | 'listener' | 'clock' | 'log'>, limits = streamLimits): Streams {
  const feed = openChangeFeed(app);
  const open = new Set<OpenStream>();
  const timers: NodeJS.Timeout[] = [];
  let isClosed = false;

  const recheck = checkInTurns(open);
  app.listener.on('access_changed', recheck);
  app.listener.on('session_ended', recheck);
  app.listener.onGap(recheck);
  function startTimers() {
    if (timers.length > 0) return;
    const beat = () => {
      for (const { events } of open) events.beat();
    };
    timers.push(setInterval(beat, limits.heartbeatMs).unref(), setInterval(recheck, limits.recheckMs).unref());
  }

  return {
    async open({ userId, ownerId, sources = [userId], isAllowed, lastEventId, asWebhook, names, warnings = [] }) {
      const events = openEventStream();
      const stream = { userId, ownerId, isAllowed, events };
      // Counted before the first await, so that concurrent requests cannot exceed the limit together.
      const ofOwner = [...open].filter((other) => other.ownerId === ownerId);
      const ofUser = ofOwner.filter((other) => other.userId === userId);
      if (ofUser.length >= limits.perUser || ofOwner.length >= limits.perOwner)
        throw new Problem('too_many_streams', { retryAfterSec: 60 });
      open.add(stream);
      openStreamCount.inc();
      events.body.once('close', () => {
        open.delete(stream);
        openStreamCount.dec();
      });
      startTimers();

      const secret = asWebhook ? randomBytes(32).toString('hex') : null;
      const now = await feed.begin(sources, ownerId).catch((error: unknown) => {
        events.body.destroy();
        throw error;
      });
      const after = readCursor(lastEventId);
      const isUnknown = after === null && lastEventId !== undefined && lastEventId !== '';
      events.send('ready', { ...(secret !== null && { secret }), ...(warnings.length > 0 && { warnings }) });
      if (after === null) events.mark(now);
      if (isUnknown) events.send('reload', {});
      const present = secret === null ? asChange : asDelivery(app, secret);
      const reload = (cursor: string) => {
        events.send('reload', {});
        events.mark(cursor);
      };
      const removals = sources.map((source) =>
        feed.add(
          {
            userId: source,
            ownerId,
            source: asWebhook ? 'events' : 'changes',
            // The cursor comes last: a client that loses the connection earlier gets the whole batch again.
            *receive(changes, cursor) {
              const bytes = yield* events.sendAll(presented(changes, names, present), cursor);
              if (bytes === null) reload(cursor);
              return bytes ?? maxMissedBytes;
            },
            reload,
          },
          after ?? now,
        ),
      );
      const remove = () => {
        for (const removeReader of removals) removeReader();
      };
      events.body.once('close', remove);
      // The client or the service may have gone away while the recording started.
      if (events.body.destroyed) remove();
      if (isClosed) events.end();
      return events.body;
    },
    async close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      for (const { events } of open) events.end();
      await feed.stop();
    },
  };
}

function* presented(
  changes: readonly Change[],
  names: ReadonlySet<string> | null,
  present: (change: Change) => unknown,
) {
  for (const change of changes) {
    const data = names === null || names.has(change.name) ? present(change) : null;
    if (data !== null) yield { name: change.name, data };
  }
}

const asChange = ({ data }: Change) => data;

/** Marks an event as a test: nothing has actually happened. */
const testHeader = { 'x-service-test': 'true' };

/** Null if the event was deleted in the meantime. */
const asDelivery =
  ({ clock }: Pick<App, 'clock'>, secret: string) =>
  ({ name, eventId, body, isTest }: Change) => {
    if (eventId === null || body === null) return null;
    const headers = signedHeaders({ id: eventId, event: name, body, secret, now: clock.now() });
    return { headers: { ...headers, ...(isTest && testHeader) }, body };
  };

/** Access changes come in bursts, and each affects few streams. */
const checkPauseMs = 1_000;

/**
 * Ends the streams whose credentials are no longer valid. Checks one at a time, so that many streams do not cause a
 * burst of queries.
 */
function checkInTurns(open: ReadonlySet<OpenStream>): () => void {
  let isRunning = false;
  let isWanted = false;
  async function run() {
    while (isWanted) {
      isWanted = false;
      for (const stream of open) if (!(await stream.isAllowed())) stream.events.end();
      if (open.size > 0) await sleep(checkPauseMs, undefined, { ref: false });
    }
  }
  return () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    void run().finally(() => {
      isRunning = false;
    });
  };
}
