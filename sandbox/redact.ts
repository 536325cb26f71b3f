import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type Json } from './json.ts';

const secretField =
  /^(access_token|refresh_token|client_secret|code|code_verifier|token|password|accessJwt|refreshJwt)$/;
const secretParameter =
  /([?&](?:access_token|client_secret|code|token|fb_exchange_token|input_token|upload_token|upload_id)=)[^&]+/g;
const botToken = /\/bot\d+:[\w-]+/g;

/** The control API may be read by anyone on the machine, and tests print what it says: no secret passes. */
export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    shown[name] =
      name === 'authorization' ? text.replace(/^(\S+)\s.*$/, '$1 [redacted]') : name === 'cookie' ? '[redacted]' : text;
  }
  return shown;
}

export function redactBody(body: Json): Json {
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, secretField.test(name) ? '[redacted]' : value]),
  );
}

export function redactPath(path: string): string {
  return path.replace(secretParameter, '$1[redacted]').replace(botToken, '/bot[redacted]');
}
