import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const apiKeyLength = { min: 20, max: 200 } as const;
/**
 * A result repeats its response as text and is built in one go, so a long one would delay other requests. This equals
 * the limit of a request, and is more than an agent can read.
 */
export const maxAnswerBytes = 1_048_576;

/** Errors of the MCP server and its OAuth routes, whose `error` is a code from RFC 6749, 7591 or 8707. */
export const mcpProblems = {
  mcp_key_required: {
    status: 401,
    error: 'API key required. Use Authorization: Bearer sk_<your_key> or x-service-key header.',
  },
  mcp_key_malformed: {
    status: 401,
    error: `Malformed API key. Service keys start with sk_ and are ${apiKeyLength.min}-${apiKeyLength.max} characters long.`,
  },
  mcp_session_invalid: {
    status: 400,
    error: 'Invalid or missing session. Send a POST without mcp-session-id to start.',
  },
  answer_too_large: {
    status: 413,
    error: `The response to this MCP request is larger than ${maxAnswerBytes / 1_048_576} MB.`,
  },

  oauth_not_supported: { status: 404, error: 'oauth_not_supported' },
  oauth_invalid_request: { status: 400, error: 'invalid_request' },
  oauth_invalid_client: { status: 401, error: 'invalid_client' },
  oauth_invalid_grant: { status: 400, error: 'invalid_grant' },
  oauth_invalid_target: { status: 400, error: 'invalid_target' },
  oauth_unsupported_grant_type: { status: 400, error: 'unsupported_grant_type' },
  oauth_access_denied: { status: 400, error: 'access_denied' },
  oauth_invalid_redirect_uri: { status: 400, error: 'invalid_redirect_uri' },
  oauth_invalid_client_metadata: { status: 400, error: 'invalid_client_metadata' },

  // Shown on the pages of /authorize.
  authorize_client_unknown: {
    status: 400,
    error:
      'This application is not registered with Crier, or its registration has expired. Start again in the application.',
  },
  authorize_redirect_mismatch: {
    status: 400,
    error: 'The redirect address of the application is not registered, so nothing was sent to it.',
  },
  authorize_request_invalid: { status: 400, error: 'The request from the application is not valid.' },
  authorize_nothing_chosen: {
    status: 400,
    error:
      'No permissions were selected, so nothing was approved. Go back and select what the application may do, or deny access.',
  },
  authorize_consent_used: {
    status: 403,
    error:
      'This request was already approved or denied. If the application is still waiting for access, start again there.',
  },
  authorize_consent_invalid: {
    status: 403,
    error: 'This page has expired or belongs to another user. Nothing was approved. Try again.',
  },
} as const satisfies ProblemEntries;
