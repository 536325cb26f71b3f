import { type Answer, html, json } from '../../answer.ts';
import type { JsonObject } from '../../json.ts';
import { type NetworkErrors, Refusal } from '../../network.ts';

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

export const errors: NetworkErrors = {
  status(status) {
    // What stands before the servers gives up in HTML.
    if (status === 504) return html('<html><body><h1>504 Gateway Time-out</h1></body></html>', status);
    return failure(status, texts[status] ?? `Bad Request: status ${status}`);
  },
  rateLimited(resetAt, call) {
    const seconds = Math.max(1, Math.ceil((resetAt - call.sandbox.now()) / 1000));
    const answer = failure(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
  },
  expiredToken: () => failure(401, 'Unauthorized'),
};

export function failure(status: number, description: string, parameters?: JsonObject): Answer {
  return json({ ok: false, error_code: status, description, ...(parameters && { parameters }) }, status);
}

export function refuse(status: number, description: string): never {
  throw new Refusal(failure(status, description));
}

/** Words of the server's own begin with a small letter here, its codes (`PHOTO_INVALID_DIMENSIONS`) stay as they are. */
export function badRequest(reason: string): never {
  const isCode = /^.[A-Z_]/.test(reason);
  refuse(400, `Bad Request: ${isCode ? reason : reason.charAt(0).toLowerCase() + reason.slice(1)}`);
}
