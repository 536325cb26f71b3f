import type { App } from '../../../app.ts';
import { EgressError } from '../../../foundation/egress/egress-error.ts';
import { type Message, signedHeaders } from './sign.ts';

/** Covers the whole exchange, up to the end of the response. */
const timeoutMs = 10_000;
const maxAnswerBytes = 2048;
/** A compressed response can go on for ever without decoding to anything. */
const maxEncodedBytes = 65_536;

export interface SendResult {
  /** Null if there was no response. */
  status: number | null;
  /** Why the connection failed. Null if it did not. */
  error: string | null;
  /** The beginning of the response. */
  answer: string;
  retryAfterSeconds: number | null;
}

/** Makes one attempt. A failure is a result, not an exception. Null if `signal` aborted it. */
export async function send(
  { egress }: Pick<App, 'egress'>,
  url: string,
  message: Message,
  signal: AbortSignal,
): Promise<SendResult | null> {
  const result: SendResult = { status: null, error: null, answer: '', retryAfterSeconds: null };
  try {
    const { status, headers, body } = await egress.request(url, {
      method: 'POST',
      headers: signedHeaders(message),
      body: message.body,
      anyPort: true,
      redirects: 0,
      timeoutMs,
      // No limit needed: only the beginning of the response is read.
      maxBytes: Number.POSITIVE_INFINITY,
      maxEncodedBytes,
      signal,
    });
    result.status = status;
    result.retryAfterSeconds = retryAfterSeconds(headers.get('retry-after'), message.now);
    for await (const text of beginningOf(body)) result.answer = text;
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof EgressError)) throw error;
    // The status decides. The rest of the response is not needed.
    if (error.code !== 'too_large') result.error = error.message;
  }
  return result;
}

/** Yields everything read so far after each chunk, so that an interrupted response is kept up to that point. */
async function* beginningOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  let read = Buffer.alloc(0);
  for await (const chunk of body ?? []) {
    read = Buffer.concat([read, chunk]);
    yield read.subarray(0, maxAnswerBytes).toString().replaceAll('\0', '');
    if (read.length >= maxAnswerBytes) return;
  }
}

/** The header contains seconds or a date. */
function retryAfterSeconds(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
