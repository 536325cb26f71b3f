import { type HttpResponse, json } from '../../http/http-response.ts';
import { type Call, type PlatformErrors, Refusal } from '../../platform.ts';

const names: Record<number, [error: string, message: string]> = {
  400: ['InvalidRequest', 'Invalid Request'],
  401: ['AuthenticationRequired', 'Authentication Required'],
  403: ['Forbidden', 'Forbidden'],
  404: ['XRPCNotSupported', 'XRPC Not Supported'],
  406: ['NotAcceptable', 'Not Acceptable'],
  413: ['PayloadTooLarge', 'request entity too large'],
  415: ['UnsupportedMediaType', 'Unsupported Media Type'],
  429: ['RateLimitExceeded', 'Rate Limit Exceeded'],
  500: ['InternalServerError', 'Internal Server Error'],
  501: ['MethodNotImplemented', 'Method Not Implemented'],
  502: ['UpstreamFailure', 'Upstream service unreachable'],
  503: ['NotEnoughResources', 'Not Enough Resources'],
  504: ['UpstreamTimeout', 'Upstream Timeout'],
};

export const errors: PlatformErrors = {
  status(status, call) {
    if (status === 400 && isUnreadable(call)) return error(400, 'SyntaxError', 'Unexpected token in JSON');
    return plainError(status);
  },
  rateLimited(resetAt, call) {
    const headers = {
      'ratelimit-limit': '3000',
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(Math.ceil(resetAt / 1000)),
      'ratelimit-policy': '3000;w=300',
      'retry-after': String(Math.max(1, Math.ceil((resetAt - call.sandbox.now()) / 1000))),
    };
    return { ...plainError(429), headers: { ...plainError(429).headers, ...headers } };
  },
  // The vendor returns 400 here, not 401. A client that refreshes only on 401 must fail against the sandbox too.
  expiredToken: () => error(400, 'ExpiredToken', 'Token has expired'),
};

/** The error that the vendor's servers return for a bare status. */
export function plainError(status: number): HttpResponse {
  const [name, message] = names[status] ?? names[status < 500 ? 400 : 500] ?? ['Unknown', 'Unknown'];
  return error(status, name, message);
}

export function error(status: number, name: string, message: string): HttpResponse {
  return json({ error: name, message }, status);
}

export function refuse(status: number, name: string, message: string): never {
  throw new Refusal(error(status, name, message));
}

export function refusePlainly(status: number): never {
  throw new Refusal(plainError(status));
}

export function invalid(message: string, name = 'InvalidRequest'): never {
  refuse(400, name, message);
}

/** The sandbox could not parse the body. */
function isUnreadable({ body, headers }: Call): boolean {
  return body.bytes.length === 0 && body.stored === undefined && Number(headers['content-length'] ?? 0) > 0;
}
