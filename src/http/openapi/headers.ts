/** `components/headers`: what responses carry. */
export const headerComponents = {
  RequestId: {
    description: 'Identifies this request in the log of the service. Quote it when you ask for support.',
    schema: { type: 'string' },
    example: '6926f0a01c4b7d3e5f8a9b0c',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt. Present where the service knows it.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
};

const waitStatuses = [429, 503];

/** The headers of a response with this status. */
export const responseHeaders = (status: number) => ({
  'x-request-id': reference('RequestId'),
  ...(waitStatuses.includes(status) && { 'retry-after': reference('RetryAfter') }),
});

const reference = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });
