import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { Message, presentUser, SignedIn } from '../../users/schema.ts';
import { requireOwnOrigin, requireSession } from '../access/session.ts';
import * as examples from '../sign-in/examples.ts';
import { passkeySignInOptions } from './better-auth.ts';
import {
  createPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
} from './passkeys.ts';
import * as shape from './schema.ts';

/** Sign-in with a passkey, and the passkeys of the signed-in user. */
export function passkeyRoutes(server: Server, app: App) {
  const tags = ['Session'];
  const onRequest = requireSession(app);

  server.get(
    '/auth/passkeys',
    {
      onRequest,
      schema: {
        operationId: 'listPasskeys',
        summary: 'List passkeys',
        description: 'Lists the passkeys of the user.',
        tags,
        example: examples.listPasskeys,
        response: { 200: shape.Passkeys },
      },
    },
    async ({ session }) => ({ passkeys: (await listPasskeys(app, session.userId)).map(shape.presentPasskey) }),
  );

  server.post(
    '/auth/passkeys/options',
    {
      onRequest,
      schema: {
        operationId: 'startPasskey',
        summary: 'Start adding a passkey',
        description:
          'Returns options for `navigator.credentials.create`, which are valid for five minutes in the same browser.',
        tags,
        example: examples.startPasskey,
        response: { 200: shape.PasskeyOptions },
      },
      config: { problems: ['recent_sign_in_required', 'passkey_limit'] },
    },
    async (request, reply) => ({ options: await startPasskey(app, request, reply) }),
  );

  server.post(
    '/auth/passkeys',
    {
      onRequest,
      schema: {
        operationId: 'createPasskey',
        summary: 'Add a passkey',
        description: 'Takes the credential that the browser created with the options.',
        tags,
        example: examples.createPasskey,
        body: shape.CreatePasskey,
        response: { 200: shape.OnePasskey },
      },
      config: {
        problems: [
          'recent_sign_in_required',
          'passkey_limit',
          'passkey_name_invalid',
          'passkey_response_required',
          'passkey_refused',
        ],
      },
    },
    async (request) => ({ passkey: shape.presentPasskey(await createPasskey(app, request.body, request)) }),
  );

  server.patch(
    '/auth/passkeys/:passkeyId',
    {
      onRequest,
      schema: {
        operationId: 'renamePasskey',
        summary: 'Rename a passkey',
        description: 'Changes the name of a passkey in the list.',
        tags,
        example: examples.renamePasskey,
        params: shape.PasskeyParams,
        body: shape.RenamePasskey,
        response: { 200: shape.OnePasskey },
      },
      config: { problems: ['passkey_name_invalid', 'passkey_not_found'] },
    },
    async ({ session, params, body }) => ({
      passkey: shape.presentPasskey(await renamePasskey(app, session.userId, params.passkeyId, body.name)),
    }),
  );

  server.delete(
    '/auth/passkeys/:passkeyId',
    {
      onRequest,
      schema: {
        operationId: 'deletePasskey',
        summary: 'Remove a passkey',
        description: 'The passkey can no longer be used to sign in. Delete it on the device as well.',
        tags,
        example: examples.deletePasskey,
        params: shape.PasskeyParams,
        response: { 200: Message },
      },
      config: { problems: ['passkey_not_found'], whileLeaving: true },
    },
    async (request) => {
      await removePasskey(app, request.params.passkeyId, request);
      return { message: 'Passkey removed successfully' };
    },
  );

  server.post(
    '/auth/passkeys/sign-in/options',
    {
      onRequest: requireOwnOrigin(app),
      schema: {
        operationId: 'startPasskeySignIn',
        summary: 'Start a sign-in with a passkey',
        description:
          'Returns options for `navigator.credentials.get`, which are valid for five minutes in the same browser.',
        security: [],
        tags,
        example: examples.startPasskeySignIn,
        response: { 200: shape.PasskeyOptions },
      },
    },
    async (request, reply) => ({ options: await passkeySignInOptions(app, request, reply) }),
  );

  server.post(
    '/auth/passkeys/sign-in',
    {
      onRequest: requireOwnOrigin(app),
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description: 'Starts a session without a password or a code, because a passkey replaces both.',
        security: [],
        tags,
        example: examples.signInWithPasskey,
        body: shape.PasskeySignIn,
        response: { 200: SignedIn },
      },
      config: { problems: ['passkey_response_required', 'passkey_sign_in_failed', 'too_many_requests'] },
    },
    async (request, reply) => {
      const { accessToken, session } = await signInWithPasskey(app, request.body.response, request, reply);
      return { accessToken, user: presentUser({ ...session, id: session.userId }) };
    },
  );
}
