import type { RouteOptions } from 'fastify';
import { codeOf, isProblemKey, type ProblemEntry, type ProblemKey, problems } from '../../errors/index.ts';
import { requestIdHeader, retryAfterHeader } from './headers.ts';
import { retryProblems, validateProblems } from './post-problems.ts';

const badRequest = ['invalid_request', 'invalid_json', 'text_invalid', 'invalid_service_user_id'] as const;
const unauthorized = ['api_key_required', 'invalid_api_key', 'invalid_api_key_owner', 'session_required'] as const;
const forbidden = [
  'address_not_allowed',
  'insufficient_scope',
  'api_access_disabled',
  'mcp_access_disabled',
  'user_not_managed',
  'workspace_disabled',
  'account_on_hold',
  'account_being_deleted',
  'origin_not_allowed',
] as const;

const withStatus = (status: number, keys: readonly ProblemKey[]) =>
  keys.filter((key) => problems[key].status === status);

const failures = withStatus(500, Object.keys(problems).filter(isProblemKey)).filter((key) => key !== 'internal');

/** Responses shared by several operations, by name. An operation refers to the first one that has all its errors. */
const shared = {
  BadRequest: badRequest,
  // Errors in a body of create-post or validate-post.
  InvalidPost: ['content_required', ...withStatus(400, [...validateProblems, ...retryProblems]), ...badRequest],
  Unauthorized: unauthorized,
  LinkedinUnauthorized: ['linkedin_token_expired', ...unauthorized],
  Forbidden: forbidden,
  AnalyticsForbidden: ['analytics_plan_required', ...forbidden],
  PostGroupNotFound: ['post_group_not_found'],
  ConnectionNotFound: ['connection_not_found', 'statistics_connection_not_found'],
  LinkedinConnectionNotFound: ['linkedin_connection_not_found'],
  WebhookNotFound: ['webhook_not_found'],
  WorkspaceUserNotFound: ['managed_user_not_found'],
  MediaPublishStarted: ['media_publish_started'],
  PayloadTooLarge: ['body_too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  FormRequired: ['form_required'],
  IdempotencyKeyConflict: ['idempotency_conflict'],
  TooManyRequests: ['rate_limit_exceeded', 'too_many_requests'],
  MediaUrlRateLimited: ['media_url_rate_limited', 'rate_limit_exceeded'],
  LinkedinRateLimited: ['linkedin_rate_limited', 'rate_limit_exceeded'],
  InternalServerError: ['internal', ...failures],
  LinkedinTimeout: ['linkedin_request_timeout'],
  StorageUnavailable: ['storage_unavailable'],
  InsufficientStorage: ['no_room'],
} as const satisfies Record<string, readonly [ProblemKey, ...ProblemKey[]]>;

/** The errors of a document with these routes: the shared responses, and each route's error responses by status. */
export function problemResponses(routes: readonly RouteOptions[]) {
  const possible = new Set(routes.flatMap(problemsOf));
  const referred = new Set(routes.flatMap((route) => groupsOf(problemsOf(route)).map(fitting)));
  const used = all
    .filter((one) => referred.has(one))
    .map((one) => ({ ...one, keys: one.keys.filter((key) => possible.has(key)) }));
  return {
    shared: Object.fromEntries(used.map((one) => [one.name, sharedResponse(one)])),
    of: (keys: readonly ProblemKey[]): Record<string, object> =>
      Object.fromEntries(groupsOf(keys).map((group) => [group.status, responseFor(group, used)])),
  };
}

const problemsOf = ({ config }: RouteOptions) => config?.problems ?? [];

/** Errors with the same status. */
interface Group {
  readonly status: number;
  readonly keys: readonly ProblemKey[];
}

function groupsOf(keys: readonly ProblemKey[]): Group[] {
  const byStatus = Object.groupBy(new Set(keys), (key) => problems[key].status);
  return Object.entries(byStatus).map(([status, group = []]) => ({ status: Number(status), keys: group }));
}

interface Shared extends Group {
  readonly name: string;
}

const all = Object.entries(shared).map(
  ([name, keys]): Shared => ({ name, status: problems[keys[0]].status, keys: [...new Set(keys)] }),
);

const fitting = ({ status, keys }: Group) =>
  all.find((one) => one.status === status && keys.every((key) => one.keys.includes(key)));

/**
 * A shared response that has all these errors, or a new one that lists those missing from the nearest shared response.
 */
function responseFor(group: Group, used: readonly Shared[]) {
  const whole = fitting(group);
  if (whole) return { $ref: `#/components/responses/${whole.name}` };
  const base = nearest(group, used);
  const own = group.keys.filter((key) => !base?.keys.includes(key));
  return problemResponse(group.status, [...own.map(lineFor), ...(base ? [`- or as in \`${base.name}\``] : [])]);
}

/** The shared response with the most of these errors, and with few others. */
function nearest({ status, keys }: Group, used: readonly Shared[]): Shared | undefined {
  const near = used
    .filter((one) => one.status === status)
    .map((one) => ({ one, common: one.keys.filter((key) => keys.includes(key)).length }))
    .filter(({ one, common }) => common >= one.keys.length / 2);
  return near.sort((a, b) => b.common - a.common)[0]?.one;
}

function sharedResponse({ status, keys }: Group) {
  const { headers, content, ...response } = problemResponse(status, keys.map(lineFor));
  return {
    ...response,
    headers: { ...requestIdHeader, ...headers },
    content: { 'application/json': { ...content['application/json'], example: exampleOf(keys[0]!) } },
  };
}

function exampleOf(key: ProblemKey) {
  const { status: _, ...entry }: ProblemEntry = problems[key];
  return { ...entry, code: codeOf(key) };
}

function problemResponse(status: number, lines: readonly string[]) {
  const headers = retryAfterHeader(status);
  return {
    description: lines.join('\n'),
    ...(headers && { headers }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const lineFor = (key: ProblemKey) => lineOf(problems[key]);

/** If the error is a symbol, the message explains it. */
export function lineOf({ error, code, message }: ProblemEntry): string {
  const isSymbol = message !== undefined && /^[A-Z_]+$/.test(error);
  return isSymbol ? `- \`${error}\`: ${message}` : `- ${code ? `\`${code}\`: ` : ''}${error}`;
}
