import { z } from 'zod';
import { Pagination, pageNumber, pageSize } from '../../foundation/http/pages.ts';
import { timestamp } from '../../foundation/http/shapes.ts';
import type { LoggedCall } from './queries.ts';

export const ListRequests = z.object({
  errors: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('`true`: only calls with a status of 400 or higher.'),
  page: pageNumber,
  limit: pageSize('Calls per page.'),
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

export const RequestList = z.object({ requests: z.array(LoggedRequest), pagination: Pagination });

export const presentCall = ({ id, at, actedFor, ownerId: _, ...call }: LoggedCall): z.infer<typeof LoggedRequest> => ({
  ...call,
  _id: id,
  at: at.toISOString(),
  userId: actedFor,
});

export const listRequests = {
  response: {
    requests: [
      {
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
      },
    ],
    pagination: { page: 1, limit: 50, totalItems: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false },
  },
};
