import { randomBytes } from 'node:crypto';
import { type HttpResponse, json } from '../http/http-response.ts';
import { type Call, Refusal } from '../platform.ts';

/** The parts of a Graph error besides its message. */
interface Details {
  readonly code: number;
  readonly subcode?: number;
  readonly status?: number;
  readonly type?: string;
  readonly isTransient?: boolean;
  /** A title and a sentence that the app may show to its user. */
  readonly userMessage?: readonly [title: string, sentence: string];
}

export function graphError(message: string, details: Details): HttpResponse {
  const { code, subcode, status = 400, type = 'OAuthException', isTransient = false, userMessage } = details;
  const error = {
    message,
    type,
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    is_transient: isTransient,
    ...(userMessage && { error_user_title: userMessage[0], error_user_msg: userMessage[1] }),
    fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
  };
  return json({ error }, status);
}

export function refuse(message: string, details: Details): never {
  throw new Refusal(graphError(message, details));
}

/** For invalid parameters. */
export function invalid(message: string): never {
  refuse(`(#100) ${message}`, { code: 100 });
}

/** For an id that does not exist or that the caller may not see. */
export function noObject(call: Call, id: string): never {
  refuse(
    `Unsupported ${call.method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
    { code: 100, subcode: 33, type: 'GraphMethodException' },
  );
}

export function unknownPath(path: string): HttpResponse {
  return graphError(`Unknown path components: ${path}`, { code: 2500 });
}

export function expiredToken(): HttpResponse {
  return graphError('Error validating access token: Session has expired. The current time is later than its end.', {
    code: 190,
    subcode: 463,
  });
}

export function invalidToken(): HttpResponse {
  return graphError('Invalid OAuth access token - Cannot parse access token', { code: 190, status: 401 });
}

/** The code exchange has its own error format. */
export function oauthError(message: string, status = 400): HttpResponse {
  return json({ error_type: 'OAuthException', code: status, error_message: message }, status);
}
