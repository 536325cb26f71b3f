import { type Answer, html, json } from '../../answer.ts';
import { type NetworkErrors, Refusal } from '../../network.ts';

/** A number and words, on every path, also where tokens are given out. */
const problems: Record<number, [code: number, message: string]> = {
  400: [1, 'Invalid request.'],
  401: [2, 'Authentication failed.'],
  403: [29, 'You are not permitted to access that resource.'],
  404: [50, 'Sorry! We could not find that resource.'],
  429: [8, 'You have exceeded your rate limit. Try again later.'],
};

export const errors: NetworkErrors = {
  status(status) {
    if (status === 502 || status === 504) return html(`<html><body><h1>${status}</h1></body></html>`, status);
    return problem(status);
  },
  rateLimited(resetAt, { sandbox }) {
    const seconds = Math.max(1, Math.ceil((resetAt - sandbox.now()) / 1000));
    const { headers, ...answer } = problem(429);
    return {
      ...answer,
      headers: {
        ...headers,
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(seconds),
      },
    };
  },
  expiredToken: () => problem(401),
};

export function problem(status: number, words?: string): Answer {
  const [code, message] = problems[status] ?? [12, 'Something went wrong on our end. Sorry about that.'];
  return json({ code, message: words ?? message }, status);
}

export function refuse(status: number, words?: string): never {
  throw new Refusal(problem(status, words));
}
