import type { App } from '../app.ts';
import { EgressError } from '../egress/egress-error.ts';
import { type Message, signedHeaders } from './sign.ts';

/** For the whole exchange, the answer to its end included. */
const timeoutMs = 10_000;
const answerKept = 2048;

export interface Answered {
  status: number | null;
  error: string | null;
  answer: string;
  retryAfterSeconds: number | null;
}

/** One attempt. Whatever goes wrong is an outcome. */
export async function send(
  { egress }: Pick<App, 'egress'>,
  url: string,
  message: Message,
  signal: AbortSignal,
): Promise<Answered> {
  try {
    const response = await egress.request(url, {
      method: 'POST',
      headers: signedHeaders(message),
      body: message.body,
      redirects: 0,
      timeoutMs,
      signal,
    });
    const { status, headers } = response;
    const answer = await beginningOf(response.body).catch(() => '');
    return { status, error: null, answer, retryAfterSeconds: secondsIn(headers.get('retry-after'), message.now) };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { status: null, error: error.message, answer: '', retryAfterSeconds: null };
  }
}

async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length >= answerKept) break;
  }
  return Buffer.concat(chunks).subarray(0, answerKept).toString().replaceAll('\0', '');
}

/** Seconds, or a date. */
function secondsIn(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
