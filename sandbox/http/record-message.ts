import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxPlatform } from '../platform.ts';
import type { HttpResponse } from './http-response.ts';
import type { Json } from './json.ts';
import { redactAnswer, redactBody, redactHeaders, redactPath } from './redact.ts';
import { type Body, describeBody } from './request-body.ts';
import type { RecordedMessage } from './request-log.ts';

/** A request as stored in the log. An unreadable body is shown as null. */
export function recordRequest(
  platform: SandboxPlatform,
  headers: IncomingHttpHeaders,
  body: Body | string,
): RecordedMessage {
  return { headers: redactHeaders(headers), body: typeof body === 'string' ? null : bodyOf(platform, headers, body) };
}

export function recordResponse(platform: SandboxPlatform, { headers, body }: HttpResponse): RecordedMessage {
  const shown = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), redactPath(platform, value)]);
  const type = headers['content-type'] ?? '';
  return { headers: Object.fromEntries(shown), body: redactAnswer(platform, answerOf(type, body)) };
}

function bodyOf(platform: SandboxPlatform, headers: IncomingHttpHeaders, body: Body): Json {
  const type = headers['content-type'] ?? '';
  if (body.stored) return `(${body.stored.bytes} bytes of ${type})`;
  if (/json|form/.test(type)) return redactBody(platform, describeBody(body));
  return body.bytes.length === 0 ? null : `(${body.bytes.length} bytes of ${type})`;
}

function answerOf(type: string, body: HttpResponse['body']): Json {
  if (typeof body !== 'string') return `(${type})`;
  if (body === '') return null;
  return type.includes('json') ? JSON.parse(body) : `(${body.length} characters of ${type})`;
}
