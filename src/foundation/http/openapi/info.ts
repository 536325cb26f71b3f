import { version } from '../version.ts';
import type { Part } from './parts.ts';

/** The version of the interface at `/api/v1`, which the contract fixes. The service has its own, which changes with each release. */
const interfaceVersion = '1.0.0';

export const infoFor = (part: Part, networks: readonly string[]) => ({
  ...(part === 'dashboard' ? dashboard : api(networks)),
  version: interfaceVersion,
  'x-crier-version': version,
  contact: { name: 'Crier' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
});

const bodies =
  '**Bodies** are JSON and times are ISO 8601 in UTC. Fields may be added to responses: ignore those that you do not know. A field that does not exist is ignored, and listed in `warnings` of the response with the code `UNKNOWN_FIELD` and the nearest name.';
const errors =
  '**Errors** have the shape `Problem`. Branch on `code`. Every response carries `x-request-id`: yours, if you send one.';
const pagination =
  '**Pagination.** Lists with `page` and `limit` return `pagination`; read on while `hasNextPage` is true.';

const api = (networks: readonly string[]) => ({
  title: 'Crier',
  summary: 'Publishes posts to social networks: now or at the time asked for, once and only once.',
  description: [
    `Send one post to the accounts that you have connected on ${new Intl.ListFormat('en-GB').format(networks)}.`,
    '**Authentication.** Send an API key in the header `x-service-key`. A session of the dashboard works as well: the cookie, or `Authorization: Bearer <accessToken>`. What only a person does who is signed in (the account, API keys, connecting networks) is in a document of its own, `openapi-dashboard.json`.',
    bodies,
    errors,
    '**Retries.** Send an `Idempotency-Key` with `create-post`, `update-post` and `attach-media`: a retry with the same key and body gets the first response and publishes nothing twice.',
    pagination,
  ].join('\n\n'),
});

const dashboard = {
  title: 'Crier dashboard',
  summary: 'What only a person does who is signed in: the account, API keys, connecting networks.',
  description: [
    'The dashboard uses these routes, and those of `openapi.json`, which has all that programs need.',
    '**Authentication.** Sign in with `POST /auth/signin`, then send the cookie, or `Authorization: Bearer <accessToken>`. No API key is accepted.',
    bodies,
    errors,
    pagination,
  ].join('\n\n'),
};

/** The groups of operations, in the order in which a newcomer needs them. */
export const tags = [
  { name: 'Posts', description: 'Create, schedule, publish, change and read posts.' },
  { name: 'Posting slots', description: 'Weekly times at which posts go out.' },
  { name: 'Media', description: 'Attach images, videos and documents to posts.' },
  { name: 'Connections', description: 'The accounts that you can post to, and what their networks allow.' },
  { name: 'Webhooks', description: 'Receive events at an address of yours, and see how the deliveries went.' },
  { name: 'Events', description: 'Watch what changes, while it changes.' },
  { name: 'Statistics', description: 'Numbers of published posts and of profiles, for networks that report them.' },
  { name: 'LinkedIn', description: 'Comments, reactions, reshares and statistics on LinkedIn.' },
  { name: 'Account', description: 'The plan, its limits, how much of them is used, and the audit log.' },
  { name: 'Workspace', description: 'Manage users with one owner key, and act for them with `x-service-user-id`.' },
  { name: 'API keys', description: 'Create, change and revoke API keys at the dashboard.' },
  { name: 'Session', description: 'Sign up, sign in and sign out at the dashboard.' },
  { name: 'Dashboard', description: 'What the pages of the dashboard need besides: preferences, drafts, API calls.' },
];

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-service-key',
    description:
      'An API key of the form `sk_…`. Keep it on a server. It can be limited to scopes (each operation names the one that it needs), to network addresses and to a time.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'crier.session_token',
    description: 'A session of the dashboard. Over https the name of the cookie begins with `__Secure-`.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `accessToken` of a session, as signing in returns it.',
  },
};
