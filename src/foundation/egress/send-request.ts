import type { Dispatcher } from 'undici';
import { tinyChunkCounter } from '../lib/tiny-chunks.ts';
import { EgressError } from './egress-error.ts';
import { chunkMerger } from './merge-chunks.ts';
import type { Content } from './request-body.ts';

export interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  content: Content | null;
}

export interface RawResponse {
  status: number;
  statusText: string;
  headers: Headers;
  /** As received, not decoded. Cancelling it closes the connection. */
  body: ReadableStream<Uint8Array>;
  /** Resolves when the body has ended, failed or been cancelled. */
  ended: Promise<void>;
}

/** Servers send one or two interim responses, such as 103. An endless sequence of them would keep this process busy. */
const maxInterimResponses = 10;

/** How much of a body is buffered ahead of its reader. */
const readAheadBytes = 64 * 1024;

/**
 * Sends one request and returns its response without following redirects. `stop` aborts it at any stage; `onSend` is
 * called right before the first byte is written.
 */
export function sendRequest(
  dispatcher: Dispatcher,
  hop: Hop,
  stop: AbortSignal,
  onSend: () => void,
): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let connection: Dispatcher.DispatchController | null = null;
  let reader: ReadableStreamDefaultController<Uint8Array> | null = null;
  let interimResponses = 0;
  const isTooMany = tinyChunkCounter();
  const chunks = chunkMerger((merged) => reader?.enqueue(merged));

  const finish = () => {
    stop.removeEventListener('abort', onStop);
    end();
  };
  const fail = (error: unknown) => {
    finish();
    chunks.drop();
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
      // Either aborted while waiting for a connection, or undici is about to retry on another one. A request is sent
      // only once.
      if (stop.aborted || connection) return controller.abort(stop.reason ?? new Error('The connection was lost.'));
      connection = controller;
      onSend();
    },
    onResponseStart(controller, status, headers, statusText = '') {
      if (status < 200) {
        interimResponses += 1;
        if (interimResponses > maxInterimResponses) controller.abort(tooManyInterim(hop.url.host));
        return;
      }
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controls) => {
            reader = controls;
          },
          pull: () => controller.resume(),
          cancel: (reason) => {
            chunks.drop();
            controller.abort(reason ?? new Error('Not read to the end.'));
          },
        },
        { highWaterMark: readAheadBytes, size: (chunk) => chunk.byteLength },
      );
      resolve({ status, statusText: readableText(statusText), headers: headersFrom(headers), body, ended });
    },
    onResponseData(controller, chunk) {
      if (isTooMany(chunk.byteLength)) return controller.abort(tooManyTinyChunks(hop.url.host));
      chunks.add(chunk);
      if ((reader?.desiredSize ?? 0) <= 0) controller.pause();
    },
    onResponseEnd() {
      finish();
      chunks.flush();
      reader?.close();
    },
    onResponseError(_controller, error) {
      fail(error);
    },
  });
  return promise;
}

const tooManyInterim = (host: string) =>
  new EgressError('failed', `${host} sent more than ${maxInterimResponses} interim responses.`);

const tooManyTinyChunks = (host: string) =>
  new EgressError('failed', `${host} sent its response in too many tiny chunks.`);

function dispatchOptions({ url, method, headers, content }: Hop): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: Object.fromEntries(headers),
    body: (content?.open() ?? null) as NonNullable<Dispatcher.DispatchOptions['body']> | null,
    // The abort signal limits the time instead.
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

/** `Response` throws on other characters in the status text, which is no reason to fail. */
function readableText(text: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : '';
}
