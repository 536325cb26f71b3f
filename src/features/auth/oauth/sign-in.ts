import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Server } from '../../../foundation/http/server.ts';

type Form = Readonly<Record<string, string>>;

export type SignInOutcome =
  | { signedIn: true }
  /** The password is correct, and a code is still required. */
  | { signedIn: false; twoFactorToken: string; error?: string; status: number }
  | { signedIn: false; twoFactorToken: null; error: string; status: number };

const Answer = z.looseObject({
  twoFactorToken: z.string().optional(),
  error: z.string().default('Sign in to continue'),
  code: z.string().optional(),
});

/** Error codes of the REST API after which another code can be tried. */
const codeProblems = ['TWO_FACTOR_CODE_WRONG', 'TWO_FACTOR_CODE_REQUIRED'];

/** Signs in through the routes of the REST API, with all their limits, and forwards their cookies to the browser. */
export async function signInByForm(
  server: Pick<Server, 'inject'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { email = '', password = '', twoFactorToken, code = '' }: Form,
): Promise<SignInOutcome> {
  const isSecondStep = twoFactorToken !== undefined;
  const { 'user-agent': userAgent = '', cookie = '' } = request.headers;
  const response = await server.inject({
    method: 'POST',
    url: `/api/v1/auth/signin${isSecondStep ? '/two-factor' : ''}`,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, cookie, 'x-request-id': request.id },
    payload: JSON.stringify(isSecondStep ? { twoFactorToken, code } : { email, password }),
    remoteAddress: request.ip,
  });
  for (const one of [response.headers['set-cookie'] ?? []].flat()) reply.header('set-cookie', one);
  const answer = Answer.parse(response.json());
  const { statusCode: status } = response;
  if (status === 200 && !answer.twoFactorToken) return { signedIn: true };
  if (status === 200 && answer.twoFactorToken)
    return { signedIn: false, twoFactorToken: answer.twoFactorToken, status };
  const canTryAgain = isSecondStep && codeProblems.includes(answer.code ?? '');
  return { signedIn: false, twoFactorToken: canTryAgain ? twoFactorToken : null, error: answer.error, status };
}
