import { contentSecurityPolicy } from '../pages/layout.ts';

/** What a handler returns. `file` is streamed from disk and supports Range requests. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | { readonly file: string };
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

export function html(page: string, status = 200, headers: Record<string, string> = {}): HttpResponse {
  const safe = {
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...safe, ...headers }, body: page };
}

export function empty(status = 204, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers, body: '' };
}

export function redirect(location: string, status = 302): HttpResponse {
  return { status, headers: { location }, body: '' };
}

/** A stored file. The policy prevents an uploaded SVG or HTML file from running as a page of the sandbox. */
export function file(path: string, type: string): HttpResponse {
  const headers = {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  };
  return { status: 200, headers, body: { file: path } };
}
