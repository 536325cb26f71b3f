import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { limitAttempts } from '../http/attempt-limit.ts';
import type { Server } from '../http/fastify.ts';
import { type Credentials, requireOwnOrigin, requireSession, type Session, signIn, signOut } from '../http/session.ts';
import * as examples from './examples.ts';
import * as shape from './schema.ts';
import { signUp } from './sign-up.ts';
import { verifiesAddresses } from './sign-up-policy.ts';

/** Signing up, in and out (contract 4.12). */
export function sessionRoutes(server: Server, app: App) {
  const tags = ['Session'];
  const onRequest = requireOwnOrigin(app);
  // Many people may share a network address, but hardly an e-mail address.
  const fromAddress = limitAttempts(app.clock, 30);
  const forEmail = limitAttempts(app.clock, 10);

  async function guardedSignIn(body: Credentials, request: FastifyRequest, reply: FastifyReply) {
    fromAddress.take(request.ip);
    forEmail.take(body.email);
    const { accessToken, session } = await signIn(app, body, request, reply);
    fromAddress.giveBack(request.ip);
    forEmail.giveBack(body.email);
    return { accessToken, user: userOf(session) };
  }

  server.post(
    '/auth/signup',
    {
      onRequest,
      schema: {
        operationId: 'signUp',
        summary: 'Create an account',
        description:
          'Creates a user and signs in. The session is set as a cookie and returned as `accessToken`. Where addresses are ' +
          'verified, it answers 202 and sends a mail, and `POST /auth/verify-email` creates the user.',
        security: [],
        tags,
        example: examples.signUp,
        body: shape.SignUp,
        response: { 200: shape.SignedIn, 202: shape.VerificationSent },
      },
      config: {
        problems: [
          'invalid_email',
          'invalid_password',
          'password_required',
          'weak_password',
          'invalid_user_name',
          'link_token_invalid',
          'sign_up_closed',
          'invitation_required',
          'invitation_for_other_email',
          'email_taken',
          'too_many_requests',
        ],
      },
    },
    async (request, reply) => {
      fromAddress.take(request.ip);
      // Each sends a mail, to an address that the caller chooses.
      if (verifiesAddresses(app.config)) await request.countRate('password');
      const user = await signUp(app, request.body, request);
      if (!user)
        return reply.code(202).send({ message: 'Open the link in the mail that we have sent to this address.' });
      return guardedSignIn(request.body, request, reply);
    },
  );

  server.post(
    '/auth/signin',
    {
      onRequest,
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description: 'Starts a session. It is set as a cookie and returned as `accessToken`.',
        security: [],
        tags,
        example: examples.signIn,
        body: shape.SignIn,
        response: { 200: shape.SignedIn },
      },
      config: { problems: ['invalid_email', 'password_required', 'invalid_credentials', 'too_many_requests'] },
    },
    (request, reply) => guardedSignIn(request.body, request, reply),
  );

  server.post(
    '/auth/signout',
    {
      onRequest,
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session of this request, if there is one.',
        tags,
        security: [],
        example: examples.signOut,
        response: { 200: shape.Message },
      },
    },
    async (request, reply) => {
      await signOut(app, request, reply);
      return { message: 'Signed out successfully' };
    },
  );

  server.get(
    '/auth/session',
    {
      onRequest: requireSession(app),
      schema: {
        operationId: 'getSession',
        summary: 'Read the session',
        description: 'Shows the user who is signed in.',
        tags,
        example: examples.getSession,
        response: { 200: shape.WhoAmI },
      },
    },
    async ({ session }) => ({ user: userOf(session) }),
  );
}

const userOf = ({ userId, email, name, plan }: Session) => shape.presentUser({ id: userId, email, name, plan });
