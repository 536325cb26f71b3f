import { type Answer, json } from '../../answer.ts';
import { type Call, type NetworkErrors, Refusal } from '../../network.ts';

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

export const errors: NetworkErrors = {
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
  // Not 401: a client that renews its token only on 401 is found out.
  expiredToken: () => error(400, 'ExpiredToken', 'Token has expired'),
};

/** The error that the vendor's servers give a status where nothing more is known. */
export function plainError(status: number): Answer {
  const [name, message] = names[status] ?? names[status < 500 ? 400 : 500] ?? ['Unknown', 'Unknown'];
  return error(status, name, message);
}

export function error(status: number, name: string, message: string): Answer {
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

/** The frame could not parse what came. */
function isUnreadable({ body, headers }: Call): boolean {
  return body.bytes.length === 0 && body.stored === undefined && Number(headers['content-length'] ?? 0) > 0;
}
