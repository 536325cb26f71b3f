import type { ProblemEntries } from './problem-entry.ts';

/** Errors of connections (contract.md#test-connection) and of connecting accounts. */
export const connectionProblems = {
  connections_unreadable: { status: 500, error: 'Failed to fetch platform connections' },
  platform_id_unreadable: { status: 400, error: 'Invalid platformId format' },
  connection_not_found: { status: 404, error: 'Connection not found' },
  connection_test_failed: { status: 500, error: 'Failed to test connection' },
  connect_platform_unknown: { status: 404, error: 'Unknown platform' },
  withdrawal_not_signed: {
    status: 400,
    error: 'The request has no recent valid signature from the network',
    code: 'WITHDRAWAL_NOT_SIGNED',
  },
  connect_return_invalid: { status: 400, error: 'returnTo must be /channels or /welcome' },
  connect_fields_invalid: {
    status: 400,
    error: 'Some form fields are missing or invalid',
    code: 'CONNECT_FIELDS_INVALID',
  },
  connect_not_set_up: {
    status: 503,
    error: 'This service has no application registered with that network. Ask its operator to add one.',
    code: 'CONNECT_NOT_SET_UP',
  },
  connect_sandbox_off: {
    status: 404,
    error: 'This service publishes to the real networks and has no sandbox accounts. Connect your own account.',
    code: 'CONNECT_SANDBOX_OFF',
  },
  connect_refused: {
    status: 400,
    error: 'The network refused to connect the account. Check your details and try again.',
    code: 'CONNECT_REFUSED',
  },
  connect_unavailable: {
    status: 503,
    error: 'The network could not be reached. Try again in a few minutes.',
    code: 'CONNECT_UNAVAILABLE',
  },
  connect_cancelled: {
    status: 400,
    error: 'The connection was cancelled on the consent page. Nothing was connected.',
    code: 'CONNECT_CANCELLED',
  },
  connect_issuer_wrong: {
    status: 400,
    error:
      'Consent came from a different server than the one Crier asked. Nothing was connected. Start connecting again.',
  },
  connect_state_invalid: {
    status: 400,
    error:
      'The response from the network has expired, was already used, or belongs to another session. Start connecting again.',
    code: 'CONNECT_STATE_INVALID',
  },
  connect_nothing_found: {
    status: 400,
    error: 'The network returned no account that you can post to.',
    code: 'CONNECT_NOTHING_FOUND',
  },
  connect_choice_not_found: {
    status: 404,
    error: 'This account selection does not exist or has expired. Start connecting again.',
    code: 'CONNECT_CHOICE_NOT_FOUND',
  },
  connect_choice_invalid: {
    status: 400,
    error: 'Choose one or more of the accounts offered',
    code: 'CONNECT_CHOICE_INVALID',
  },
  connection_link_invalid: {
    status: 404,
    error: 'This connection link has expired, was revoked, or is incomplete. Ask for a new one.',
    code: 'CONNECTION_LINK_INVALID',
  },
  avatar_missing: { status: 404, error: 'This account has no picture' },
  avatar_unavailable: { status: 404, error: 'The picture of this account cannot be shown' },
  connect_failed: { status: 500, error: 'Failed to connect the account' },
  disconnect_failed: { status: 500, error: 'Failed to disconnect the account' },
} as const satisfies ProblemEntries;
