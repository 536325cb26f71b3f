import { Readable } from 'node:stream';
import type { Pausable } from '../../foundation/text/in-turns.ts';

/** The body of a response with server-sent events. */
export interface EventStream {
  readonly body: Readable;
  send(name: string, data: unknown): void;
  /**
   * Sends all events and then marks the position. The client may take its time to read them. Returns how many bytes
   * they have, or null if they are too long and nothing was sent.
   */
  sendAll(events: Iterable<{ name: string; data: unknown }>, id: string): Pausable<number | null>;
  /** The id that the client sends as `Last-Event-ID` when it reconnects. */
  mark(id: string): void;
  /** Keeps proxies from closing an idle connection. Drops a client that has read nothing since the last two beats. */
  beat(): void;
  end(): void;
}

/** Memory limits for unread events: for a client that does not read, and for one that is catching up. */
const maxUnreadBytes = 256 * 1024;
export const maxMissedBytes = 2 * 1024 * 1024;
const maxUnreadBeats = 2;
/** How long a browser waits before it reconnects. */
const retryMs = 2_000;

export function openEventStream(): EventStream {
  const body = new Readable({ read() {} });
  let unreadBeats = 0;
  let unreadAtBeat = 0;
  let isCatchingUp = false;
  body.push(`retry: ${retryMs}\n\n`);

  function write(text: string) {
    if (body.destroyed || body.readableEnded) return;
    isCatchingUp &&= body.readableLength > maxUnreadBytes;
    if (body.readableLength > maxUnreadBytes + (isCatchingUp ? maxMissedBytes : 0)) body.destroy();
    else body.push(text);
  }

  return {
    body,
    send: (name, data) => write(eventText(name, data)),
    *sendAll(events, id) {
      let [all, bytes] = ['', 0];
      for (const { name, data } of events) {
        const text = eventText(name, data);
        bytes += Buffer.byteLength(text);
        if (bytes > maxMissedBytes) return null;
        all += text;
        yield;
      }
      write(all + idText(id));
      isCatchingUp ||= bytes > maxUnreadBytes;
      return bytes;
    },
    mark: (id) => write(idText(id)),
    beat() {
      const isUnread = body.readableLength > 0 && body.readableLength >= unreadAtBeat;
      unreadBeats = isUnread ? unreadBeats + 1 : 0;
      if (unreadBeats >= maxUnreadBeats) body.destroy();
      else write(':\n\n');
      unreadAtBeat = body.readableLength;
    },
    end: () => void body.push(null),
  };
}

// JSON has no line breaks, so the data is always one line.
const eventText = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const idText = (id: string) => `id: ${id}\n\n`;
