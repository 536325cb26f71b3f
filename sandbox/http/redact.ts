import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type Json } from './json.ts';

// Every program on the machine can read the control API, and tests print what it returns, so it must show no secret.

const oauthSecrets = [
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'token',
  'password',
] as const;

/** Where a platform's requests and responses contain secrets. */
export interface Redaction {
  /**
   * Fields and query parameters with secrets of this platform, in addition to those of OAuth. Logs and the control API
   * hide them.
   */
  readonly secretNames?: readonly string[];
  /** Hides the secrets in this platform's paths. */
  redactPath?(path: string): string;
}

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

export function redactBody(platform: Redaction, body: Json): Json {
  if (!isObject(body)) return body;
  const isSecret = secretNamesOf(platform);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isSecret(name) ? '[redacted]' : value]));
}

/**
 * A response contains secrets at any depth and in URLs. Its field `code` is an error code: OAuth codes appear only in
 * URLs.
 */
export function redactAnswer(platform: Redaction, value: Json): Json {
  const isSecret = secretNamesOf(platform);
  if (typeof value === 'string') return value.includes('://') ? redactPath(platform, value) : value;
  if (Array.isArray(value)) return value.map((item) => redactAnswer(platform, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const hides = typeof inner === 'string' && name !== 'code' && isSecret(name);
      return [name, hides ? '[redacted]' : redactAnswer(platform, inner)];
    }),
  );
}

/** Takes the path with its query. */
export function redactPath(platform: Redaction, path: string): string {
  const isSecret = secretNamesOf(platform);
  const shown = path.replace(/([?&])([^=&]+)=[^&]+/g, (found, mark, name) =>
    isSecret(name) ? `${mark}${name}=[redacted]` : found,
  );
  return platform.redactPath?.(shown) ?? shown;
}

function secretNamesOf({ secretNames = [] }: Redaction): (name: string) => boolean {
  return (name) => oauthSecrets.some((secret) => secret === name) || secretNames.includes(name);
}
