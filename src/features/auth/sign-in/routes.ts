import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import * as examples from '../../users/examples.ts';
import * as shape from '../../users/schema.ts';
import { requireOwnOrigin, requireSession, type Session, type SignedIn, signOut } from '../access/session.ts';
import { verifiesAddresses } from '../sign-up/policy.ts';
import { signUp } from '../sign-up/sign-up.ts';
import { FinishSignIn, TwoFactorRequired } from '../two-factor/schema.ts';
import { signInWithCode } from './examples.ts';
import { finishSignIn, signInWithPassword } from './sign-in.ts';

/** Sign-up, sign-in and sign-out (contract.md#dashboard-routes.sign-in). */
export function sessionRoutes(server: Server, app: App) {
  const tags = ['Session'];
  const onRequest = requireOwnOrigin(app);

  server.post(
    '/auth/signup',
    {
      onRequest,
      schema: {
        operationId: 'signUp',
        summary: 'Create an account',
        description:
          'Creates a user and signs in. The session is set as a cookie and returned as `accessToken`. If this Crier verifies addresses, the response is 202, an email is sent, and `POST /auth/verify-email` creates the user. The page that the email links to asks for the password, so only the reader of the email can choose it.',
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
          'rate_limit_exceeded',
        ],
      },
    },
    async (request, reply) => {
      await request.countRate('signUp');
      // Each call sends a mail to an address that the caller chooses.
      if (verifiesAddresses(app.config)) await request.countRate('password');
      const user = await signUp(app, request.body, request);
      if (!user)
        return reply.code(202).send({ message: 'Open the link in the mail that we have sent to this address.' });
      const { email, password = '' } = request.body;
      const result = await signInWithPassword(app, { email, password }, request, reply);
      if (!('session' in result)) throw new Error('A new account has no second factor.');
      return presentSignedIn(result);
    },
  );

  server.post(
    '/auth/signin',
    {
      onRequest,
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'Starts a session, which is set as a cookie and returned as `accessToken`. With two-factor sign-in, the response contains a `twoFactorToken` instead.',
        security: [],
        tags,
        example: examples.signIn,
        body: shape.SignIn,
        response: { 200: z.union([shape.SignedIn, TwoFactorRequired]) },
      },
      config: { problems: ['invalid_email', 'password_required', 'invalid_credentials', 'too_many_requests'] },
    },
    async (request, reply) => {
      const result = await signInWithPassword(app, request.body, request, reply);
      return 'session' in result ? presentSignedIn(result) : result;
    },
  );

  server.post(
    '/auth/signin/two-factor',
    {
      onRequest,
      schema: {
        operationId: 'signInWithCode',
        summary: 'Finish a sign-in with a code',
        description: 'Takes the token from `POST /auth/signin`, which is valid for five attempts within ten minutes.',
        security: [],
        tags,
        example: signInWithCode,
        body: FinishSignIn,
        response: { 200: shape.SignedIn },
      },
      config: {
        problems: [
          'two_factor_code_required',
          'two_factor_token_required',
          'two_factor_code_wrong',
          'two_factor_token_invalid',
          'two_factor_codes_limited',
          'invalid_credentials',
          'too_many_requests',
        ],
      },
    },
    async (request, reply) => presentSignedIn(await finishSignIn(app, request.body, request, reply)),
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
      const userId = await signOut(app, request, reply);
      if (userId) await recordAudit(app, app.db, { userId, event: 'signed_out', actor: userActor(userId, request) });
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
        description: 'Returns the signed-in user, and when the account will be deleted if the user has asked for that.',
        tags,
        example: examples.getSession,
        response: { 200: shape.WhoAmI },
      },
    },
    async ({ session }) => ({
      user: userOf(session),
      ...(session.deletionAt && { deletionAt: session.deletionAt.toISOString() }),
    }),
  );
}

const presentSignedIn = ({ accessToken, session }: SignedIn) => ({ accessToken, user: userOf(session) });

const userOf = ({ userId, email, name, plan }: Session) => shape.presentUser({ id: userId, email, name, plan });
