import type { Json } from '../../../foundation/lib/json.ts';
import { redact } from '../../../foundation/lib/redact.ts';

/** Fields that hold a secret whatever their value, because a network issues new ones during a proof. */
const secretName = /token|secret|passw|authorization|cookie|signature|jwt|assertion|^code$|^key$/i;
const hidden = '[secret]';

export function redactedUrl(url: URL, secrets: readonly string[]): string {
  const shown = new URL(url);
  for (const name of [...shown.searchParams.keys()]) if (secretName.test(name)) shown.searchParams.set(name, hidden);
  return redact(readable(shown.href), secrets);
}

/** Anyone may run a server, and choose URLs that cannot be decoded. */
function readable(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

export function redactedHeaders(headers: Headers, secrets: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretName.test(name) ? hidden : redact(value, secrets)]),
  );
}

/** A body as JSON. For files, only type and size. */
export async function redactedBody(body: RequestInit['body'] | null, secrets: readonly string[]): Promise<Json> {
  if (body === null) return null;
  if (typeof body === 'string') return redactedJson(parsed(body), secrets);
  if (body instanceof Blob) return described(body);
  if (body instanceof URLSearchParams || body instanceof FormData) {
    const fields = [...body].map(([name, value]) => [name, value instanceof Blob ? described(value) : value]);
    return redactedJson(Object.fromEntries(fields), secrets);
  }
  return '(a stream)';
}

const described = ({ type, size }: Blob) => `(${size} bytes${type && ` of ${type}`})`;

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 2_000);
  }
}

function redactedJson(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string') return redact(value, secrets);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => redactedJson(item, secrets));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && typeof inner === 'string' ? hidden : redactedJson(inner, secrets),
    ]),
  );
}
