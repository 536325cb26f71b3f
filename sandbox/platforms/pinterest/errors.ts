import { type HttpResponse, html, json } from '../../http/http-response.ts';
import { type PlatformErrors, Refusal } from '../../platform.ts';

/** All errors have a code and a message, including those of the token endpoint. */
const problems: Record<number, [code: number, message: string]> = {
  400: [1, 'Invalid request.'],
  401: [2, 'Authentication failed.'],
  403: [29, 'You are not permitted to access that resource.'],
  404: [50, 'Sorry! We could not find that resource.'],
  429: [8, 'You have exceeded your rate limit. Try again later.'],
};

export const errors: PlatformErrors = {
  status(status) {
    if (status === 502 || status === 504) return html(`<html><body><h1>${status}</h1></body></html>`, status);
    return pinterestError(status);
  },
  rateLimited(resetAt, { sandbox }) {
    const seconds = Math.max(1, Math.ceil((resetAt - sandbox.now()) / 1000));
    const { headers, ...response } = pinterestError(429);
    return {
      ...response,
      headers: {
        ...headers,
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(seconds),
      },
    };
  },
  expiredToken: () => pinterestError(401),
};

export function pinterestError(status: number, text?: string): HttpResponse {
  const [code, message] = problems[status] ?? [12, 'Something went wrong on our end. Sorry about that.'];
  return json({ code, message: text ?? message }, status);
}

export function refuse(status: number, text?: string): never {
  throw new Refusal(pinterestError(status, text));
}
