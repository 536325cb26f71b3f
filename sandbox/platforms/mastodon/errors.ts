import { type HttpResponse, html, json } from '../../http/http-response.ts';
import { type PlatformErrors, Refusal } from '../../platform.ts';

const texts: Record<number, string> = {
  400: 'Bad Request',
  401: 'The access token is invalid',
  403: 'This action is not allowed',
  404: 'Record not found',
  410: 'Gone',
  422: 'Validation failed',
  429: 'Too many requests',
  503: 'There was a temporary problem serving your request, please try again',
};

export const errors: PlatformErrors = {
  status(status) {
    // The nginx in front of the server returns these errors as HTML.
    if (status === 413 || status === 502 || status === 504)
      return html(`<html><body><h1>${status}</h1></body></html>`, status);
    return error(status, texts[status] ?? 'We are sorry, but something went wrong on our end');
  },
  rateLimited(resetAt) {
    const headers = {
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': resetHeader(resetAt),
    };
    return json({ error: 'Too many requests' }, 429, headers);
  },
  expiredToken: () => error(401, 'The access token is invalid'),
};

/** The header is ISO 8601 with microseconds, not a number of seconds. */
export function resetHeader(resetAt: number): string {
  return new Date(resetAt).toISOString().replace('Z', '000Z');
}

export function error(status: number, text: string): HttpResponse {
  return json({ error: text }, status);
}

export function refuse(status: number, text: string): never {
  throw new Refusal(error(status, text));
}

export function notFound(): never {
  refuse(404, 'Record not found');
}

/** The error format of a failed model validation. */
export function invalid(...findings: string[]): never {
  refuse(422, `Validation failed: ${findings.join(', ')}`);
}
