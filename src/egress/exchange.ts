import type { Dispatcher } from 'undici';
import type { Content } from './content.ts';

export interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  content: Content | null;
}

export interface Answer {
  status: number;
  statusText: string;
  headers: Headers;
  /** As it comes off the wire. Cancelling it closes the connection. */
  body: ReadableStream<Uint8Array>;
  /** Settles when nothing more will come: read to the end, broken or cancelled. */
  ended: Promise<void>;
}

/** How much of an answer is read ahead of its reader. */
const readAheadBytes = 64 * 1024;

/**
 * One request and its answer, without following anything. `stop` ends it, whatever it is doing; `onSend` is called
 * right before the first byte is written.
 */
export function exchange(dispatcher: Dispatcher, hop: Hop, stop: AbortSignal, onSend: () => void): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let connection: Dispatcher.DispatchController | null = null;
  let reader: ReadableStreamDefaultController<Uint8Array> | null = null;

  const finish = () => {
    stop.removeEventListener('abort', onStop);
    end();
  };
  const fail = (error: unknown) => {
    finish();
    reject(error);
    reader?.error(error);
  };
  const onStop = () => {
    fail(stop.reason);
    connection?.abort(stop.reason);
  };

  if (stop.aborted) return Promise.reject(stop.reason);
  stop.addEventListener('abort', onStop, { once: true });
  dispatcher.dispatch(dispatchOptions(hop), {
    onRequestStart(controller) {
      // Stopped while it waited for a connection; or undici would write it again on another one: once is what we promise.
      if (stop.aborted || connection) return controller.abort(stop.reason ?? new Error('The connection was lost.'));
      connection = controller;
      onSend();
    },
    onResponseStart(controller, status, headers, statusText = '') {
      if (status < 200) return;
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controls) => {
            reader = controls;
          },
          pull: () => controller.resume(),
          cancel: (reason) => controller.abort(reason ?? new Error('Not read to the end.')),
        },
        { highWaterMark: readAheadBytes, size: (chunk) => chunk.byteLength },
      );
      resolve({ status, statusText: readableText(statusText), headers: headersFrom(headers), body, ended });
    },
    onResponseData(controller, chunk) {
      reader?.enqueue(chunk);
      if ((reader?.desiredSize ?? 0) <= 0) controller.pause();
    },
    onResponseEnd() {
      finish();
      reader?.close();
    },
    onResponseError(_controller, error) {
      fail(error);
    },
  });
  return promise;
}

function dispatchOptions({ url, method, headers, content }: Hop): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: Object.fromEntries(headers),
    body: (content?.open() ?? null) as Dispatcher.DispatchOptions['body'],
    // `stop` has the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function headersFrom(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  return headers;
}

/** What `Response` takes as a status text; anything else is not worth failing for. */
function readableText(text: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : '';
}
