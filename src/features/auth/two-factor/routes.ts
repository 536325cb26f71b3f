import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { Message } from '../../users/schema.ts';
import { requireSession } from '../access/session.ts';
import * as examples from '../sign-in/examples.ts';
import { requirePassword } from '../sign-in/proof.ts';
import { countCodeCheck } from '../sign-in/throttle.ts';
import * as shape from './schema.ts';
import {
  confirmTwoFactor,
  disableTwoFactor,
  readTwoFactor,
  replaceRecoveryCodes,
  startTwoFactor,
} from './two-factor.ts';

/** A code from an authenticator app in addition to the password. */
export function twoFactorRoutes(server: Server, app: App) {
  const tags = ['Session'];
  const onRequest = requireSession(app);
  const passwordProblems = ['password_required', 'password_incorrect', 'too_many_requests'] as const;
  const codeProblems = ['two_factor_code_required', 'two_factor_code_invalid', 'two_factor_off'] as const;

  server.get(
    '/auth/two-factor',
    {
      onRequest,
      schema: {
        operationId: 'getTwoFactor',
        summary: 'Read the two-factor status',
        description: 'Returns whether sign-in requires a code, and how many recovery codes are left.',
        tags,
        example: examples.getTwoFactor,
        response: { 200: shape.TwoFactorStatus },
      },
    },
    ({ session }) => readTwoFactor(app, session.userId),
  );

  server.post(
    '/auth/two-factor/start',
    {
      onRequest,
      schema: {
        operationId: 'startTwoFactor',
        summary: 'Start two-factor sign-in',
        description:
          'Creates a secret for an authenticator app. Nothing changes until the first code is confirmed, within 15 minutes.',
        tags,
        example: examples.startTwoFactor,
        body: shape.PasswordAgain,
        response: { 200: shape.TwoFactorSecret },
      },
      config: { problems: [...passwordProblems, 'two_factor_on'] },
    },
    async (request) => {
      await requirePassword(app, request.body.password, request);
      return startTwoFactor(app, request.session);
    },
  );

  server.post(
    '/auth/two-factor/confirm',
    {
      onRequest,
      schema: {
        operationId: 'finishTwoFactor',
        summary: 'Turn on two-factor sign-in',
        description:
          'Takes the first code from the app and returns the recovery codes. From then on, sign-in requires a code. All other sessions of the user end, and the user gets an email.',
        tags,
        example: examples.finishTwoFactor,
        body: shape.ConfirmTwoFactor,
        response: { 200: shape.RecoveryCodes },
      },
      config: {
        problems: [
          'two_factor_code_required',
          'two_factor_code_invalid',
          'two_factor_not_started',
          'two_factor_on',
          'too_many_requests',
        ],
      },
    },
    async (request) => {
      const giveBack = await countCodeCheck(app, request.session.userId);
      const recoveryCodes = await confirmTwoFactor(app, request.body.code, request);
      await giveBack();
      return { recoveryCodes };
    },
  );

  server.post(
    '/auth/two-factor/disable',
    {
      onRequest,
      schema: {
        operationId: 'deleteTwoFactor',
        summary: 'Turn off two-factor sign-in',
        description:
          'Takes the password and a code. Deletes the secret and the recovery codes. The user gets an email.',
        tags,
        example: examples.deleteTwoFactor,
        body: shape.PasswordAndCode,
        response: { 200: Message },
      },
      config: { problems: [...passwordProblems, ...codeProblems] },
    },
    async (request) => {
      const { password, code } = request.body;
      await requirePassword(app, password, request);
      const giveBack = await countCodeCheck(app, request.session.userId);
      await disableTwoFactor(app, code, request);
      await giveBack();
      return { message: 'Two-factor sign-in is off' };
    },
  );

  server.post(
    '/auth/two-factor/recovery-codes',
    {
      onRequest,
      schema: {
        operationId: 'regenerateRecoveryCodes',
        summary: 'Replace the recovery codes',
        description:
          'Takes the password and a code, and creates ten new recovery codes. The earlier ones stop working, and the user gets an email.',
        tags,
        example: examples.regenerateRecoveryCodes,
        body: shape.PasswordAndCode,
        response: { 200: shape.RecoveryCodes },
      },
      config: { problems: [...passwordProblems, ...codeProblems] },
    },
    async (request) => {
      const { password, code } = request.body;
      await requirePassword(app, password, request);
      const giveBack = await countCodeCheck(app, request.session.userId);
      const recoveryCodes = await replaceRecoveryCodes(app, code, request);
      await giveBack();
      return { recoveryCodes };
    },
  );
}
