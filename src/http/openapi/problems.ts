import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { codeOf, isProblemKey, type ProblemEntry, type ProblemKey, problems } from '../../errors.ts';
import { requestIdHeader, retryAfterHeader } from './headers.ts';

const unauthorized = ['api_key_required', 'invalid_api_key', 'invalid_api_key_owner', 'session_required'] as const;
const forbidden = [
  'address_not_allowed',
  'insufficient_scope',
  'api_access_disabled',
  'mcp_access_disabled',
  'user_not_managed',
  'workspace_disabled',
  'account_on_hold',
  'origin_not_allowed',
] as const;

const failures = Object.keys(problems)
  .filter(isProblemKey)
  .filter((key) => problems[key].status === 500 && key !== 'internal');

/** Responses that several operations share, by name. An operation refers to the first that has all its errors. */
const shared = {
  BadRequest: ['invalid_request', 'invalid_json', 'text_invalid', 'invalid_service_user_id'],
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

/** `components/responses`. */
export const sharedResponses = () =>
  Object.fromEntries(
    Object.entries(shared).map(([name, keys]) => {
      const { status, ...entry }: ProblemEntry = problems[keys[0]];
      const example = { ...entry, code: codeOf(keys[0]) };
      const headers = { ...requestIdHeader, ...retryAfterHeader(status) };
      return [name, { ...problemResponse(status, keys, { example }), headers }];
    }),
  );

/** What an operation answers besides success, by status. */
export function problemResponses(keys: readonly ProblemKey[]): Record<string, object> {
  const byStatus = Object.groupBy(new Set(keys), (key) => String(problems[key].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [status, responseFor(Number(status), group)]),
  );
}

/** A shared response that has all these errors, or one that lists those which no shared response has. */
function responseFor(status: number, keys: readonly ProblemKey[]) {
  const sameStatus = Object.entries(shared).filter(([, [first]]) => problems[first].status === status);
  const fitting = sameStatus.find(([, all]) => keys.every((key) => isIn(all, key)));
  if (fitting) return { $ref: `#/components/responses/${fitting[0]}` };
  const [base, common = []] = sameStatus.find(([, all]) => keys.some((key) => isIn(all, key))) ?? [];
  const own = keys.filter((key) => !isIn(common, key));
  return problemResponse(status, own, base ? { base } : {});
}

const isIn = (keys: readonly ProblemKey[], key: ProblemKey) => keys.includes(key);

/** With `base`, all errors of that shared response are possible too. */
function problemResponse(
  status: number,
  keys: readonly ProblemKey[],
  { base, example }: { base?: string; example?: object },
) {
  const lines = keys.map((key) => lineOf(problems[key]));
  const rest = base ? [`- or as in \`${base}\``] : [];
  const headers = retryAfterHeader(status);
  return {
    description: [`${STATUS_CODES[status]}:`, '', ...lines, ...rest].join('\n'),
    ...(headers && { headers }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' }, ...(example && { example }) } },
  };
}

/** Where the error is a symbol, the message says what it means. */
export function lineOf({ error, code, message }: ProblemEntry): string {
  const isSymbol = message !== undefined && /^[A-Z_]+$/.test(error);
  return isSymbol ? `- \`${error}\`: ${message}` : `- ${code ? `\`${code}\`: ` : ''}${error}`;
}

const codes = [...new Set(Object.keys(problems).filter(isProblemKey).map(codeOf))].sort();
const component = (name: string) => z.unknown().meta({ $ref: `#/components/schemas/${name}` });

const ProblemCode = z.enum(codes).meta({
  id: 'ProblemCode',
  description: 'The codes of today. More may be added: handle an unknown code by the status of the response.',
});

/** The body of every response that is not a success. */
export const ProblemBody = z
  .looseObject({
    error: z.string().describe('What went wrong, for people. May be a symbol, then `message` explains it.'),
    code: z.union([ProblemCode, z.string()]).describe('What went wrong, for programs. Branch on it.'),
    hint: z.string().optional().describe('What to send instead: a header, the form of a value, or a route.'),
    requestId: z.string().optional().describe('As in the header `x-request-id`. `complete-media` has only that.'),
    message: z.string().optional().describe('More about the error, where one sentence is not enough.'),
    field: z.string().optional().describe('The field of the request that is wrong, as a dotted path.'),
    retryable: z.boolean().optional().describe('Whether the same request can succeed later.'),
    retryAfterSec: z.number().optional().describe('Seconds to wait, as in the header `Retry-After`.'),
    suggestions: z.array(z.string()).optional().describe('What to do next.'),
    validation: component('ValidationReport').optional(),
    mediaResults: z.array(component('MediaUrlResult')).optional(),
  })
  .meta({
    id: 'Problem',
    description:
      'Why a request did not succeed. Further fields depend on the code; a plan limit, for example, adds `metric`, ' +
      '`limit`, `used`, `requested`, `remaining`, `periodStart`, `periodEnd` and `planName`.',
    examples: [{ error: 'What went wrong', code: 'STABLE_CODE', requestId: '019a86c2f4b07d3e5f8a9b0c' }],
  });
