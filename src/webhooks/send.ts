import type { App } from '../app.ts';
import { EgressError } from '../egress/egress-error.ts';
import { type Message, signedHeaders } from './sign.ts';

/** For the whole exchange, the answer to its end included. */
const timeoutMs = 10_000;
const answerKept = 2048;

export interface Answered {
  /** Null: there was no answer. */
  status: number | null;
  /** What went wrong on the way there or back. */
  error: string | null;
  /** Its beginning. */
  answer: string;
  retryAfterSeconds: number | null;
}

/** One attempt. Whatever goes wrong is an outcome; null if `signal` broke it off. */
export async function send(
  { egress }: Pick<App, 'egress'>,
  url: string,
  message: Message,
  signal: AbortSignal,
): Promise<Answered | null> {
  const answered: Answered = { status: null, error: null, answer: '', retryAfterSeconds: null };
  try {
    const { status, headers, body } = await egress.request(url, {
      method: 'POST',
      headers: signedHeaders(message),
      body: message.body,
      redirects: 0,
      timeoutMs,
      // Only the beginning is read.
      maxBytes: Number.POSITIVE_INFINITY,
      signal,
    });
    answered.status = status;
    answered.retryAfterSeconds = secondsIn(headers.get('retry-after'), message.now);
    for await (const text of beginningOf(body)) answered.answer = text;
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof EgressError)) throw error;
    answered.error = error.message;
  }
  return answered;
}

/** What is there of it so far, again and again, until there is enough. */
async function* beginningOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  let read = Buffer.alloc(0);
  for await (const chunk of body ?? []) {
    read = Buffer.concat([read, chunk]);
    yield read.subarray(0, answerKept).toString().replaceAll('\0', '');
    if (read.length >= answerKept) return;
  }
}

/** Seconds, or a date. */
function secondsIn(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
