import { empty, type HttpResponse, html, json } from '../../http/http-response.ts';
import type { Json } from '../../http/json.ts';
import { type Call, type PlatformErrors, Refusal } from '../../platform.ts';

const problems = 'https://api.x.com/2/problems';
const details: Record<number, [title: string, detail: string]> = {
  401: ['Unauthorized', 'Unauthorized'],
  403: ['Forbidden', 'You are not permitted to perform this action.'],
  404: ['Not Found', 'Not Found'],
  429: ['Too Many Requests', 'Too Many Requests'],
  503: ['Service Unavailable', 'Service Unavailable'],
};

export const errors: PlatformErrors = {
  status(status, call) {
    if (isTokenCall(call)) return oauthStatus(status);
    if (status === 413) return empty(413);
    // The edge returns these errors as HTML.
    if (status === 502 || status === 504) return html(`<html><body><h1>${status}</h1></body></html>`, status);
    if (status === 400) return invalidRequest([{ message: 'Request body is not valid JSON.', parameters: {} }]);
    if (status === 402) return creditsDepleted();
    const [title, detail] = details[status] ?? ['Internal Server Error', 'Internal Server Error'];
    return problem(status, title, detail);
  },
  rateLimited(resetAt) {
    return problem(
      429,
      'Too Many Requests',
      'Too Many Requests',
      {},
      {
        'x-rate-limit-limit': '100',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': resetHeader(resetAt),
      },
    );
  },
  expiredToken: (call) => (isTokenCall(call) ? invalidToken() : problem(401, 'Unauthorized', 'Unauthorized')),
};

/** The header is in whole seconds since 1970. */
export function resetHeader(resetAt: number): string {
  return String(Math.ceil(resetAt / 1000));
}

export function problem(
  status: number,
  title: string,
  detail: string,
  more: Record<string, Json> = {},
  headers: Record<string, string> = {},
): HttpResponse {
  return problemJson({ title, type: 'about:blank', status, detail, ...more }, status, headers);
}

function problemJson(body: Record<string, Json>, status: number, headers: Record<string, string> = {}): HttpResponse {
  return json(body, status, { 'content-type': 'application/problem+json; charset=utf-8', ...headers });
}

export function forbid(detail: string): never {
  throw new Refusal(problem(403, 'Forbidden', detail));
}

export function problemType(name: string): string {
  return `${problems}/${name}`;
}

export interface Finding {
  readonly message: string;
  readonly parameters: Record<string, Json>;
}

/** The error format of an invalid request. */
export function invalid(message: string, parameters: Record<string, Json> = {}): never {
  throw new Refusal(invalidRequest([{ message, parameters }]));
}

export function invalidRequest(findings: readonly Finding[]): HttpResponse {
  const detail = 'One or more parameters to your request was invalid.';
  const errors = findings.map(({ message, parameters }) => ({ message, parameters }));
  return problemJson({ errors, title: 'Invalid Request', detail, type: problemType('invalid-request') }, 400);
}

/** One entry of `errors`, next to or instead of `data`. The status of the response is 200. */
export function missing(resource: 'tweet' | 'user', parameter: string, id: string) {
  return {
    value: id,
    resource_id: id,
    resource_type: resource,
    parameter,
    title: 'Not Found Error',
    detail: `Could not find ${resource} with ${parameter}: [${id}].`,
    type: problemType('resource-not-found'),
  };
}

export function oauthError(status: number, error: string, description: string): HttpResponse {
  return json({ error, error_description: description }, status);
}

export function invalidToken(): HttpResponse {
  return oauthError(400, 'invalid_request', 'Value passed for the token was invalid.');
}

function oauthStatus(status: number): HttpResponse {
  if (status === 401) return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  if (status < 500) return oauthError(status, 'invalid_request', 'Value passed for the request was invalid.');
  return oauthError(status, 'server_error', 'Internal Server Error');
}

function creditsDepleted(): HttpResponse {
  const detail = 'Your enrolled account does not have any credits to fulfill this request.';
  return problemJson({ title: 'CreditsDepleted', detail, type: problemType('credits') }, 402);
}

function isTokenCall(call: Call): boolean {
  return call.path.startsWith('/2/oauth2/');
}
