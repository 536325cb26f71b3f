import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { requireOwnOrigin, requireSession } from '../../auth/access/session.ts';
import { verifyEmail } from '../../auth/sign-up/verification.ts';
import * as examples from '../../users/examples.ts';
import { Message } from '../../users/schema.ts';
import { startEmailChange } from '../profile/email-change.ts';
import { changePassword } from './password-change.ts';
import { forgotPassword, resetPassword } from './password-reset.ts';
import * as shape from './schema.ts';

/** Password changes, and the links in mails. The same links also open pages: `page-routes.ts`. */
export function passwordRoutes(server: Server, app: App) {
  const tags = ['Session'];
  const rate = 'password';
  const anybody = { onRequest: requireOwnOrigin(app) };

  server.post(
    '/auth/password/change',
    {
      onRequest: requireSession(app),
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password',
        description:
          'Ends all other sessions of the user and everything started with the old password: links to set a password or change the ' +
          'address, sign-ins waiting for a code, unconfirmed two-factor secrets, and tokens to join a workspace. ' +
          'Passkeys, API keys and other access stay valid unless `endAccess` is true.',
        tags,
        example: examples.changePassword,
        body: shape.ChangePassword,
        response: { 200: Message },
      },
      config: {
        rate,
        whileLeaving: true,
        problems: ['password_required', 'current_password_wrong', 'invalid_password', 'weak_password'],
      },
    },
    async (request) => {
      await changePassword(app, request.session, request.body, request);
      return { message: 'Password changed. All other sessions have ended.' };
    },
  );

  server.post(
    '/auth/email/change',
    {
      onRequest: requireSession(app),
      schema: {
        operationId: 'changeEmail',
        summary: 'Change the email address',
        description:
          'Sends a confirmation link to the new address and a notice to the current one. The link stops working if the password changes or the session ends. The response does not depend on the address.',
        tags,
        example: examples.changeEmail,
        body: shape.ChangeEmail,
        response: { 200: Message },
      },
      config: {
        rate,
        problems: [
          'password_required',
          'current_password_wrong',
          'two_factor_code_required',
          'two_factor_code_invalid',
          'invalid_email',
          'email_change_needs_mail',
          'too_many_requests',
        ],
      },
    },
    async (request) => ({ message: await startEmailChange(app, request.body, request) }),
  );

  server.post(
    '/auth/password/forgot',
    {
      ...anybody,
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Request a link to set a new password',
        description:
          'Sends an email if the address has an account. The response is the same whether or not it has one.',
        security: [],
        tags,
        example: examples.forgotPassword,
        body: shape.ForgotPassword,
        response: { 200: Message },
      },
      config: { rate, problems: ['invalid_email'] },
    },
    async (request) => ({ message: await forgotPassword(app, request.body.email, request) }),
  );

  server.post(
    '/auth/password/reset',
    {
      ...anybody,
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password with a link',
        description:
          'Ends all sessions of the user and everything started with the old password. Passkeys, API keys and other ' +
          'access stay valid unless `endAccess` is true. The link works once.',
        security: [],
        tags,
        example: examples.resetPassword,
        body: shape.ResetPassword,
        response: { 200: Message },
      },
      config: { rate, problems: ['link_token_invalid', 'invalid_password', 'weak_password'] },
    },
    async (request) => {
      await resetPassword(app, request.body, request);
      return { message: 'Password changed. All sessions have ended: sign in with the new password.' };
    },
  );

  server.post(
    '/auth/verify-email',
    {
      ...anybody,
      schema: {
        operationId: 'verifyEmail',
        summary: 'Complete a sign-up with a link',
        description:
          'Verifies the address and creates the user, with `password` if given, otherwise with the password from the sign-up. The link works once.',
        security: [],
        tags,
        example: examples.verifyEmail,
        body: shape.VerifyEmail,
        response: { 200: Message },
      },
      config: {
        rate,
        problems: [
          'link_token_invalid',
          'password_required',
          'invalid_password',
          'weak_password',
          'sign_up_closed',
          'invitation_required',
          'email_taken',
        ],
      },
    },
    async (request) => {
      await verifyEmail(app, request.body, request);
      return { message: 'The account is ready: sign in.' };
    },
  );
}
