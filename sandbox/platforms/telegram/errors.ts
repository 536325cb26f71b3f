import { type HttpResponse, html, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import { type PlatformErrors, Refusal } from '../../platform.ts';

const texts: Record<number, string> = {
  400: 'Bad Request: message text is empty',
  401: 'Unauthorized',
  403: 'Forbidden: bot was kicked from the channel chat',
  404: 'Not Found',
  409: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  413: 'Request Entity Too Large',
  421: 'Misdirected Request: unallowed token specified',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

export const errors: PlatformErrors = {
  status(status) {
    // A proxy in front of the servers returns this error as HTML.
    if (status === 504) return html('<html><body><h1>504 Gateway Time-out</h1></body></html>', status);
    return failure(status, texts[status] ?? `Bad Request: status ${status}`);
  },
  rateLimited(resetAt, call) {
    const seconds = Math.max(1, Math.ceil((resetAt - call.sandbox.now()) / 1000));
    const response = failure(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
    return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
  },
  expiredToken: () => failure(401, 'Unauthorized'),
};

export function failure(status: number, description: string, parameters?: JsonObject): HttpResponse {
  return json({ ok: false, error_code: status, description, ...(parameters && { parameters }) }, status);
}

export function refuse(status: number, description: string): never {
  throw new Refusal(failure(status, description));
}

/** Reasons start with a lower-case letter here. Error codes (`PHOTO_INVALID_DIMENSIONS`) stay unchanged. */
export function badRequest(reason: string): never {
  const isCode = /^.[A-Z_]/.test(reason);
  refuse(400, `Bad Request: ${isCode ? reason : reason.charAt(0).toLowerCase() + reason.slice(1)}`);
}
