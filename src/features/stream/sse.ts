import { Readable } from 'node:stream';

/** The body of a response with server-sent events. */
export interface EventStream {
  readonly body: Readable;
  send(name: string, data: unknown): void;
  /** What the client sends as `Last-Event-ID` when it comes back. */
  mark(id: string): void;
  /** Keeps proxies from closing an idle connection. Drops a client that has read nothing since the last two. */
  beat(): void;
  end(): void;
}

/** What a client that does not read may leave in our memory. */
const maxUnreadBytes = 256 * 1024;
const maxUnreadBeats = 2;
/** How long a browser waits before it comes back. */
const retryMs = 2_000;

export function openEventStream(): EventStream {
  const body = new Readable({ read() {} });
  let unreadBeats = 0;
  body.push(`retry: ${retryMs}\n\n`);

  function write(text: string) {
    if (body.destroyed || body.readableEnded) return;
    if (body.readableLength > maxUnreadBytes) body.destroy();
    else body.push(text);
  }

  return {
    body,
    // JSON has no line breaks, so the data is always one line.
    send: (name, data) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    mark: (id) => write(`id: ${id}\n\n`),
    beat() {
      unreadBeats = body.readableLength > 0 ? unreadBeats + 1 : 0;
      if (unreadBeats >= maxUnreadBeats) body.destroy();
      else write(':\n\n');
    },
    end: () => void body.push(null),
  };
}
