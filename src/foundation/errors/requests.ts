import { tinyChunks } from '../lib/tiny-chunks.ts';
import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const requestLimits = { jsonBytes: 1_048_576, idempotencyKeyLength: 255 } as const;

export const keyTooLong = (maxLength: number) => `Idempotency-Key must have at most ${maxLength} characters`;

/** Errors common to all routes: credentials, bodies, idempotency keys. */
export const requestProblems = {
  // Credentials (contract.md#auth)
  api_key_required: { status: 401, error: 'API key is required' },
  invalid_api_key: { status: 401, error: 'Invalid API key' },
  invalid_api_key_owner: { status: 401, error: 'Invalid API key owner' },
  address_not_allowed: {
    status: 403,
    error: 'This API key cannot be used from this IP address',
    code: 'ADDRESS_NOT_ALLOWED',
  },
  insufficient_scope: {
    status: 403,
    error: 'This API key does not have the scope that this request needs',
    code: 'INSUFFICIENT_SCOPE',
  },
  api_key_limited: {
    status: 403,
    error: 'This API key is restricted, so it cannot create keys for managed users',
    code: 'API_KEY_LIMITED',
  },
  api_access_disabled: { status: 403, error: 'API access is not enabled for this account' },
  mcp_access_disabled: { status: 403, error: 'MCP access is not enabled for this account' },
  invalid_service_user_id: { status: 400, error: 'Invalid x-service-user-id' },
  user_not_managed: { status: 403, error: 'User is not managed by key' },
  workspace_disabled: { status: 403, error: 'Workspace access is not enabled for this key' },
  metrics_restricted: { status: 401, error: 'Metrics are available only to the operator of this service' },
  internal: { status: 500, error: 'Internal server error' },

  // Routes
  route_not_found: { status: 404, error: 'Route not found' },
  method_not_allowed: { status: 405, error: 'Method not allowed for this route' },

  request_unreadable: { status: 400, error: 'The request is not valid HTTP' },
  request_timeout: { status: 408, error: 'The request did not arrive in time' },
  headers_too_large: { status: 431, error: 'The request headers are too large' },

  // Bodies and parameters
  invalid_request: { status: 400, error: 'Invalid request' },
  text_invalid: { status: 400, error: 'Text must be valid Unicode without null characters' },
  invalid_json: { status: 400, error: 'The body is not valid JSON' },
  body_too_large: { status: 413, error: `The body is larger than ${requestLimits.jsonBytes / 1_048_576} MB` },
  body_in_tiny_chunks: {
    status: 400,
    error: `The body arrives in too many tiny chunks. Send it in chunks of at least ${tinyChunks.minAverageBytes} bytes.`,
  },
  unsupported_media_type: { status: 415, error: 'Send the body as application/json' },
  rate_limit_exceeded: {
    status: 429,
    code: 'RATE_LIMITED',
    error: 'Too many requests. Wait for the number of seconds in Retry-After.',
  },
  locked_too_long: {
    status: 503,
    code: 'LOCKED_TOO_LONG',
    error: 'Another change of the same data is still running. Nothing was changed. Repeat the request.',
  },
  too_many_requests: {
    status: 429,
    code: 'RATE_LIMITED',
    error: 'Too many attempts. Wait for the number of seconds in Retry-After.',
  },

  // Idempotency (contract.md#idempotency)
  idempotency_key_invalid: { status: 400, error: keyTooLong(requestLimits.idempotencyKeyLength) },
  idempotency_in_flight: {
    status: 409,
    error: 'A request with this idempotency key is still in flight',
    code: 'IDEMPOTENCY_IN_FLIGHT',
  },
  idempotency_superseded: {
    status: 409,
    error: 'Idempotency claim was superseded by another request',
    code: 'IDEMPOTENCY_IN_FLIGHT',
  },
  idempotency_conflict: {
    status: 422,
    error: 'Idempotency key was already used with a different request body',
    code: 'IDEMPOTENCY_KEY_CONFLICT',
  },
  idempotency_too_complex: {
    status: 400,
    error: 'Idempotency-Key request body is too deeply nested',
    code: 'IDEMPOTENCY_BODY_TOO_COMPLEX',
  },
} as const satisfies ProblemEntries;
