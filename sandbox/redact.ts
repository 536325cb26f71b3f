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

/** Where a platform has secrets. */
export interface Redaction {
  /** Fields and query parameters that carry secrets here, besides those of OAuth. Logs and the control API hide them. */
  readonly secretNames?: readonly string[];
  /** Hides the secrets that this platform puts into paths. */
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

/** A response has secrets at any depth and in addresses. Its `code` is that of an error: OAuth puts its own into an address. */
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
