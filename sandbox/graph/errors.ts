import { randomBytes } from 'node:crypto';
import { type Answer, json } from '../answer.ts';
import { type Call, Refusal } from '../network.ts';

/** What a Graph error says besides its words. */
interface Details {
  readonly code: number;
  readonly subcode?: number;
  readonly status?: number;
  readonly type?: string;
  readonly isTransient?: boolean;
  /** For the person: a title and a sentence. */
  readonly shown?: readonly [title: string, sentence: string];
}

export function graphError(message: string, details: Details): Answer {
  const { code, subcode, status = 400, type = 'OAuthException', isTransient = false, shown } = details;
  const error = {
    message,
    type,
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    is_transient: isTransient,
    ...(shown && { error_user_title: shown[0], error_user_msg: shown[1] }),
    fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
  };
  return json({ error }, status);
}

export function refuse(message: string, details: Details): never {
  throw new Refusal(graphError(message, details));
}

/** What is wrong with the parameters of a call. */
export function invalid(message: string): never {
  refuse(`(#100) ${message}`, { code: 100 });
}

/** What a call on an id gets that is not there, or not for the caller to see. */
export function noObject(call: Call, id: string): never {
  refuse(
    `Unsupported ${call.method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
    { code: 100, subcode: 33, type: 'GraphMethodException' },
  );
}

export function unknownPath(path: string): Answer {
  return graphError(`Unknown path components: ${path}`, { code: 2500 });
}

export function expiredToken(): Answer {
  return graphError('Error validating access token: Session has expired. The current time is later than its end.', {
    code: 190,
    subcode: 463,
  });
}

export function invalidToken(): Answer {
  return graphError('Invalid OAuth access token - Cannot parse access token', { code: 190, status: 401 });
}

/** The exchange of a code has a form of its own. */
export function oauthError(message: string, status = 400): Answer {
  return json({ error_type: 'OAuthException', code: status, error_message: message }, status);
}
