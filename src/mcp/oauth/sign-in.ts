import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Server } from '../../http/fastify.ts';

const Refused = z.looseObject({ error: z.string(), code: z.string().optional() });

export type SignInOutcome = { signedIn: true } | { signedIn: false; error: string; code: string };

/** Signs in through the route of the REST API, with all its limits, and passes its cookie on to the browser. */
export async function signInByForm(
  server: Pick<Server, 'inject'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { email = '', password = '', code }: Readonly<Record<string, string>>,
): Promise<SignInOutcome> {
  const { 'user-agent': userAgent = '', cookie = '' } = request.headers;
  const answer = await server.inject({
    method: 'POST',
    url: '/api/v1/auth/signin',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, cookie, 'x-request-id': request.id },
    payload: JSON.stringify({ email, password, ...(code !== undefined && { code }) }),
    remoteAddress: request.ip,
  });
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  for (const one of cookies) reply.header('set-cookie', one);
  if (answer.statusCode === 200 && cookies.length > 0) return { signedIn: true };
  const { error, code: problem = '' } = Refused.catch({ error: 'Sign in to continue' }).parse(answer.json());
  return { signedIn: false, error, code: problem };
}
