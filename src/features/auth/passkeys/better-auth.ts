import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { challengeCookie, cookieName, cookieOf } from '../../../foundation/http/cookies.ts';
import {
  accessTokenOf,
  authOf,
  byAccessToken,
  isAuthError,
  type SignedIn,
  setCookies,
  signedInAs,
} from '../access/session.ts';
import type { AuthApp } from '../sessions/better-auth.ts';
import { callerOf } from '../sessions/caller.ts';
import { deleteSessionByToken } from '../sessions/queries.ts';
import { hashSessionToken } from '../sessions/token-hashing.ts';

/** The browser's response from an authenticator that signed a challenge. */
export interface Assertion {
  id: string;
  rawId: string;
  type: 'public-key';
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
  clientExtensionResults: object;
}

/**
 * The options with which the browser creates a passkey for the signed-in user. A cookie binds the challenge to the
 * browser.
 */
export async function passkeyOptions(app: AuthApp, request: FastifyRequest, reply: FastifyReply) {
  const auth = await authOf(app);
  const { response, headers } = await auth.api.generatePasskeyRegistrationOptions({
    headers: withChallenge(app, request, byAccessToken(accessTokenOf(app, request))),
    returnHeaders: true,
  });
  setCookies(reply, headers);
  return { ...response };
}

/** Stores a new passkey and returns its id. */
export async function addPasskey(
  app: AuthApp,
  { name, response }: { name: string; response: object },
  request: FastifyRequest,
): Promise<string> {
  const auth = await authOf(app);
  const headers = withChallenge(app, request, byAccessToken(accessTokenOf(app, request)));
  const added = await auth.api
    .verifyPasskeyRegistration({ body: { name, response }, headers })
    .catch(refuse('passkey_refused'));
  return added.id;
}

/** The options with which the browser signs in. They name no account, so they reveal nothing about any. */
export async function passkeySignInOptions(app: AuthApp, request: FastifyRequest, reply: FastifyReply) {
  const auth = await authOf(app);
  const { response, headers } = await auth.api.generatePasskeyAuthenticationOptions({
    headers: callerOf(request),
    returnHeaders: true,
  });
  setCookies(reply, headers);
  return { ...response, userVerification: 'required' };
}

/** Starts a session. The authenticator has verified its user, so no code is needed. */
export async function signInByPasskey(
  app: AuthApp,
  response: Assertion,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const auth = await authOf(app);
  const started = await auth.api
    .verifyPasskeyAuthentication({
      body: { response },
      headers: withChallenge(app, request, callerOf(request)),
      returnHeaders: true,
    })
    .catch(refuse('passkey_sign_in_failed'));
  const { session, user } = started.response;
  return signedInAs(reply, { headers: started.headers, response: { token: session.token, user } });
}

/** Whose passkey signed the challenge. The session that better-auth starts for it ends immediately, and is never sent. */
export async function userOfPasskey(app: AuthApp, response: Assertion, request: FastifyRequest): Promise<string> {
  const auth = await authOf(app);
  const { session, user } = await auth.api
    .verifyPasskeyAuthentication({ body: { response }, headers: withChallenge(app, request, callerOf(request)) })
    .catch(refuse('passkey_refused'));
  await deleteSessionByToken(app.db, user.id, hashSessionToken(session.token));
  return user.id;
}

/** Adds the cookie that identifies the challenge. */
function withChallenge(app: AuthApp, request: FastifyRequest, headers: Headers): Headers {
  const challenge = cookieOf(app, request, challengeCookie);
  if (challenge) headers.set('cookie', `${cookieName(app, challengeCookie)}=${challenge}`);
  return headers;
}

/**
 * better-auth throws a 500 if an authenticator's response is invalid, so every error it throws counts as a rejection.
 */
const refuse =
  (key: ProblemKey) =>
  async (error: unknown): Promise<never> => {
    throw (await isAuthError(error)) ? new Problem(key) : error;
  };
