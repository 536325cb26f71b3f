import { z } from 'zod';
import { Pagination, pageNumber, pageSize } from '../../foundation/http/pages.ts';
import { timestamp } from '../../foundation/http/shapes.ts';
import type { CallFilter, DetailedCall, LoggedCall } from './queries.ts';

const maxSearchLength = 200;
const maxWords = 5;

export const ListRequests = z.object({
  errors: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('`true`: only calls with a status of 400 or higher.'),
  status: z.enum(['2xx', '3xx', '4xx', '5xx']).optional().describe('Only calls with a status of this class.'),
  key: z.string().max(100).optional().describe('Only calls with this key: the part before the dot.'),
  path: z.string().max(maxSearchLength).optional().describe('Only calls of this route, as in `path` of a call.'),
  q: z
    .string()
    .max(maxSearchLength)
    .optional()
    .describe(
      `At most ${maxWords} words that a call must contain: parts of its request id, path, method, status, code, key or client.`,
    ),
  page: pageNumber,
  limit: pageSize('Calls per page.'),
});

export const filterOf = ({ errors, status, key, path, q }: z.infer<typeof ListRequests>): CallFilter => ({
  errors,
  statusClass: status && Number(status[0]),
  keyPrefix: key,
  path,
  words: (q ?? '').split(/\s+/).filter(Boolean).slice(0, maxWords),
});

const LoggedRequest = z
  .object({
    _id: z.string(),
    at: timestamp.describe('When the response was sent.'),
    method: z.string(),
    path: z.string().describe('The route, as in this document.'),
    status: z.int(),
    code: z.string().nullable().describe('The code of an error.'),
    durationMs: z.int(),
    keyPrefix: z.string().describe('The part of the key before the dot.'),
    client: z.string().describe('The value of `x-service-client`.'),
    requestId: z.string(),
    userId: z.string().describe('The user for whom the call was made.'),
  })
  .meta({ id: 'LoggedRequest', description: 'An API call that was made with a key.' });

const headers = z
  .record(z.string(), z.string())
  .nullable()
  .describe('Some headers, never with credentials or cookies. Null if the call was logged by an older version.');

const body = z.string().nullable();

const LoggedRequestDetails = LoggedRequest.extend({
  requestHeaders: headers,
  responseHeaders: headers,
  error: z.string().nullable().describe('The text of the error in the response.'),
  hint: z.string().nullable().describe('The hint in the response.'),
  waitedMs: z
    .int()
    .nullable()
    .describe(
      'The part of `durationMs` before the operation ran: the key, limits, and reading and checking the body. Null if it did not run.',
    ),
  requestBody: body.describe('The request body as JSON, without secrets, cut after 64 kB. Null if it is not stored.'),
  responseBody: body.describe('The response body as JSON, without secrets, cut after 64 kB. Null if it is not stored.'),
}).meta({ id: 'LoggedRequestDetails', description: 'An API call with headers and the explanation of its error.' });

const BodiesUntil = timestamp
  .nullable()
  .describe('Until when bodies of calls with your own keys are stored. Null: they are not stored.');

export const RequestList = z.object({
  requests: z.array(LoggedRequest),
  keys: z.array(z.string()).describe('The values of `keyPrefix` in the last 1,000 calls, for a filter.'),
  paths: z.array(z.string()).describe('The values of `path` in the last 1,000 calls, for a filter.'),
  bodiesUntil: BodiesUntil,
  pagination: Pagination,
});

export const StoredBodies = z.object({ bodiesUntil: BodiesUntil });

export const RequestParams = z.object({ callId: z.string().max(50).describe('`_id` of a call.') });
export const RequestDetails = z.object({ request: LoggedRequestDetails });

export const presentDetails = ({
  requestHeaders,
  responseHeaders,
  error,
  hint,
  waitedMs,
  requestBody,
  responseBody,
  ...call
}: DetailedCall) => ({
  ...presentCall(call),
  requestHeaders,
  responseHeaders,
  error,
  hint,
  waitedMs,
  requestBody,
  responseBody,
});

export const presentCall = ({ id, at, actedFor, ownerId: _, ...call }: LoggedCall): z.infer<typeof LoggedRequest> => ({
  ...call,
  _id: id,
  at: at.toISOString(),
  userId: actedFor,
});

const shown = {
  _id: '0199f1c2a3b4c5d6e7f80917',
  at: '2027-03-04T05:06:07.089Z',
  method: 'GET',
  path: '/get-post/{postGroupId}',
  status: 404,
  code: 'POST_GROUP_NOT_FOUND',
  durationMs: 3,
  keyPrefix: 'sk_mf3k2a9x_1a2b3c4d',
  client: 'api',
  requestId: '0199f1c2a3b4c5d6e7f80916',
  userId: '019a86c0a1b2c3d4e5f60718',
};

export const listRequests = {
  response: {
    requests: [shown],
    keys: [shown.keyPrefix],
    paths: [shown.path],
    bodiesUntil: null,
    pagination: { page: 1, limit: 50, totalItems: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false },
  },
};

export const getRequest = {
  params: { callId: shown._id },
  response: {
    request: {
      ...shown,
      requestHeaders: { accept: '*/*', 'user-agent': 'curl/8.5.0' },
      responseHeaders: { 'content-type': 'application/json; charset=utf-8', 'content-length': '168' },
      error: 'Post group not found',
      hint: 'A post group id has 24 hex digits. GET /list-posts lists yours.',
      waitedMs: 2,
      requestBody: null,
      responseBody: null,
    },
  },
};

export const storeRequestBodies = { response: { bodiesUntil: '2027-03-04T06:06:07.089Z' } };
export const stopRequestBodies = { response: { bodiesUntil: null } };
