import { type Answer, html, json } from '../../answer.ts';
import { type NetworkErrors, Refusal } from '../../network.ts';

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

export const errors: NetworkErrors = {
  status(status) {
    // These come from the nginx in front, which speaks HTML.
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

/** ISO 8601 with microseconds, not seconds. */
export function resetHeader(resetAt: number): string {
  return new Date(resetAt).toISOString().replace('Z', '000Z');
}

export function error(status: number, text: string): Answer {
  return json({ error: text }, status);
}

export function refuse(status: number, text: string): never {
  throw new Refusal(error(status, text));
}

export function notFound(): never {
  refuse(404, 'Record not found');
}

/** The vendor's form for everything a model validation finds. */
export function invalid(...findings: string[]): never {
  refuse(422, `Validation failed: ${findings.join(', ')}`);
}
