/** `components/headers`: response headers. */
export const headerComponents = {
  RequestId: {
    description: 'On every response. Identifies the request in the log of the service: include it in support requests.',
    schema: { type: 'string' },
    example: '019a86c2f4b07d3e5f8a9b0c',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt. Present if the service knows it.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  RateLimitRemaining: {
    description:
      'Requests left before the nearest rate limit. On every response, with `RateLimit-Limit` and `RateLimit-Reset` (seconds).',
    schema: { type: 'integer', minimum: 0 },
    example: 2999,
  },
};

/** Only shared responses list it, because it is on every response. */
export const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

/** For statuses that ask the client to wait. */
export const retryAfterHeader = (status: number) =>
  status === 429 || status === 503
    ? {
        'retry-after': { $ref: '#/components/headers/RetryAfter' },
        ...(status === 429 && { 'ratelimit-remaining': { $ref: '#/components/headers/RateLimitRemaining' } }),
      }
    : null;
