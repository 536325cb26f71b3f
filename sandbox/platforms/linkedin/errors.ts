import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import { type Call, type PlatformErrors, Refusal } from '../../platform.ts';

const texts: Record<number, [code: string, message: string]> = {
  400: ['ILLEGAL_ARGUMENT', 'Request body could not be converted to data map'],
  401: ['INVALID_ACCESS_TOKEN', 'Invalid access token'],
  403: ['ACCESS_DENIED', 'Access to the requested resource is denied'],
  404: ['RESOURCE_NOT_FOUND', 'No virtual resource found'],
  405: ['METHOD_NOT_ALLOWED', 'The method is not allowed on this resource'],
  409: ['CONFLICT', 'Conflict with another write, please retry'],
  413: ['REQUEST_ENTITY_TOO_LARGE', 'Request entity is too large'],
  422: ['UNPROCESSABLE_ENTITY', 'The request could not be processed'],
  426: ['NONEXISTENT_VERSION', 'Requested version is not active'],
  502: ['BAD_GATEWAY', 'Bad Gateway'],
  503: ['SERVICE_UNAVAILABLE', 'Service Unavailable'],
  504: ['GATEWAY_TIMEOUT', 'Gateway Timeout'],
};

export const errors: PlatformErrors = {
  status(status, call) {
    if (isOAuth(call)) return oauthError(status, status < 500 ? 'invalid_request' : 'server_error');
    const [code, message] = texts[status] ?? ['INTERNAL_SERVER_ERROR', 'Internal Server Error'];
    return error(status, code, message);
  },
  // The response does not state when the limit ends. Clients have to know that quotas start again at midnight UTC.
  rateLimited: () =>
    error(
      429,
      'TOO_MANY_REQUESTS',
      'Resource level throttle APPLICATION_AND_MEMBER DAY limit for calls to this resource is reached.',
      { serviceErrorCode: 101 },
    ),
  expiredToken(call) {
    if (call.path === introspectionPath) return json({ active: false, status: 'expired' });
    if (isOAuth(call)) return invalidGrant();
    const message = 'The token used in the request has expired';
    return error(401, 'EXPIRED_ACCESS_TOKEN', message, { serviceErrorCode: 65602 });
  },
};

export const introspectionPath = '/oauth/v2/introspectToken';

export function error(status: number, code: string, message: string, more: JsonObject = {}): HttpResponse {
  return json({ status, code, message, ...more }, status);
}

export function refuse(status: number, code: string, message: string, more: JsonObject = {}): never {
  throw new Refusal(error(status, code, message, more));
}

/** For a field of the body with an invalid value. */
export function invalidField(code: string, field: string, description: string): never {
  refuse(400, code, description, {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    errorDetails: { inputErrors: [{ code, description, input: { inputPath: { fieldPath: field } } }] },
  });
}

/** For everything that violates the schema of a body. */
export function malformed(findings: readonly string[]): never {
  const message = findings.map((finding) => `ERROR :: ${finding}\n`).join('');
  throw new Refusal(json({ message, status: 422 }, 422));
}

/** `resource` is a resource and its method, such as `posts.CREATE`. */
export function denied(call: Call, resource: string): never {
  const version = call.path.startsWith('/rest/') ? `${call.headers['linkedin-version']}01` : 'NO_VERSION';
  const message = `Not enough permissions to access: ${resource}.${version}`;
  refuse(403, 'ACCESS_DENIED', message, { serviceErrorCode: 100 });
}

export function notFound(message = 'The entity could not be found'): never {
  refuse(404, 'NOT_FOUND', message);
}

export function invalidParameter(name: string): never {
  refuse(400, 'ILLEGAL_ARGUMENT', `Parameter '${name}' is invalid`);
}

export function invalidPath(): never {
  refuse(400, 'ILLEGAL_ARGUMENT', 'Syntax exception in path variables');
}

export function invalidGrant(): HttpResponse {
  const description = 'The provided authorization grant or refresh token is invalid, expired or revoked.';
  return oauthError(400, 'invalid_grant', description);
}

export function oauthError(
  status: number,
  name: string,
  description = 'The request could not be completed',
): HttpResponse {
  return json({ error: name, error_description: description }, status);
}

function isOAuth(call: Call): boolean {
  return call.path.startsWith('/oauth/');
}
