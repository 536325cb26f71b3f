import { version } from '../version.ts';
import type { Part } from './parts.ts';

/**
 * The version of the interface at `/api/v1`, fixed by the contract. The service has its own version, which changes with
 * each release.
 */
const interfaceVersion = '1.0.0';

export const infoFor = (part: Part, networks: readonly string[]) => ({
  ...(part === 'dashboard' ? dashboard : api(networks)),
  version: interfaceVersion,
  'x-crier-version': version,
  contact: { name: 'Crier' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
});

const bodies =
  '**Bodies** are JSON and times are ISO 8601 in UTC. New fields may be added to responses, so ignore those that you do not know. Unknown request fields are ignored and listed in `warnings` of the response, with the code `UNKNOWN_FIELD` and the most similar name.';
const errors =
  '**Errors** have the shape `Problem`. Branch on `code`. Every response has an `x-request-id`, which is yours if you send one.';
const pagination =
  '**Pagination.** Lists with `page` and `limit` return `pagination`; continue while `hasNextPage` is true.';

const api = (networks: readonly string[]) => ({
  title: 'Crier',
  summary: 'Publishes posts to social networks, immediately or at a scheduled time, exactly once.',
  description: [
    `Publish one post to your connected accounts on ${new Intl.ListFormat('en-GB').format(networks)}.`,
    '**Authentication.** Send an API key in the header `x-service-key`. A dashboard session also works, as a cookie or as `Authorization: Bearer <accessToken>`. Operations that require a signed-in person (account settings, API keys, connecting networks) are in a separate document, `openapi-dashboard.json`.',
    bodies,
    errors,
    '**Retries.** Send an `Idempotency-Key` with `create-post`, `update-post` and `attach-media`. A retry with the same key and body then returns the first response and publishes nothing twice.',
    pagination,
  ].join('\n\n'),
});

const dashboard = {
  title: 'Crier dashboard',
  summary: 'Operations that need a signed-in person: the account, API keys, connecting networks.',
  description: [
    'The dashboard uses these operations together with those in `openapi.json`, which has everything that a program needs.',
    '**Authentication.** Sign in with `POST /auth/signin`, then send the cookie or `Authorization: Bearer <accessToken>`. API keys are not accepted.',
    bodies,
    errors,
    pagination,
  ].join('\n\n'),
};

/** The groups of operations, in the order a newcomer needs them. */
export const tags = [
  { name: 'Posts', description: 'Create, schedule, publish, update and read posts.' },
  { name: 'Posting slots', description: 'Weekly posting times.' },
  { name: 'Media', description: 'Attach images, videos and documents to posts.' },
  { name: 'Connections', description: 'Your connected accounts, and what their networks allow.' },
  { name: 'Webhooks', description: 'Receive events at your URL, and see the result of each delivery.' },
  { name: 'Events', description: 'Follow changes as they happen.' },
  { name: 'Statistics', description: 'Statistics of published posts and profiles, for networks that provide them.' },
  { name: 'LinkedIn', description: 'Comments, reactions, reshares and statistics on LinkedIn.' },
  { name: 'Account', description: 'The plan, its limits and usage, and the audit log.' },
  { name: 'Workspace', description: 'Manage users with one owner key, and act for them with `x-service-user-id`.' },
  { name: 'API keys', description: 'Create, change and revoke API keys in the dashboard.' },
  { name: 'Session', description: 'Sign up, sign in and sign out of the dashboard.' },
  { name: 'Dashboard', description: 'Other data for the dashboard: preferences, drafts, API calls.' },
];

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-service-key',
    description:
      'An API key of the form `sk_…`. Keep it on a server. It can be restricted to scopes (each operation names the one it needs) and to IP addresses, and it can expire.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'crier.session_token',
    description: 'A dashboard session. Over https the cookie name begins with `__Secure-`.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `accessToken` of a session, as returned by sign-in.',
  },
};
