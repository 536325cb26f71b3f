import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { limitAttempts } from '../http/attempt-limit.ts';
import type { Server } from '../http/fastify.ts';
import { type Credentials, requireOwnOrigin, requireSession, type Session, signIn, signOut } from '../http/session.ts';
import { signUp } from './accounts.ts';
import { createApiKey, listApiKeys, renameApiKey, replaceCurrentKey, revokeApiKey } from './api-keys.ts';
import * as examples from './examples.ts';
import * as shape from './schema.ts';

/** Signing in, and the API keys of the user who is signed in (contract 4.12). */
export function accountRoutes(server: Server, app: App): void {
  sessionRoutes(server, app);
  apiKeyRoutes(server, app);
}

function sessionRoutes(server: Server, app: App) {
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
        description: 'Creates a user and signs in. The session is set as a cookie and returned as `accessToken`.',
        security: [],
        tags,
        example: examples.signUp,
        body: shape.SignUp,
        response: { 200: shape.SignedIn },
      },
      config: {
        problems: [
          'invalid_email',
          'invalid_password',
          'password_required',
          'invalid_user_name',
          'email_taken',
          'too_many_requests',
        ],
      },
    },
    async (request, reply) => {
      fromAddress.take(request.ip);
      await signUp(app, request.body);
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

function apiKeyRoutes(server: Server, app: App) {
  const tags = ['API keys'];
  const onRequest = requireSession(app);

  server.get(
    '/auth/api-keys',
    {
      onRequest,
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'Lists the active keys without their secret parts.',
        tags,
        example: examples.listApiKeys,
        response: { 200: shape.ApiKeys },
      },
    },
    async ({ session }) => ({ apiKeys: (await listApiKeys(app, session.userId)).map(shape.presentApiKey) }),
  );

  server.post(
    '/auth/api-keys',
    {
      onRequest,
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description: 'Only this response has the key itself, as `rawKey`. At most 10 keys can be active.',
        tags,
        example: examples.createApiKey,
        body: shape.CreateApiKey.nullish(),
        response: { 200: shape.CreatedApiKey },
      },
      config: { problems: ['api_key_name_invalid', 'api_key_limit', 'plan_without_api'] },
    },
    async ({ session, body }) => {
      const key = await createApiKey(app, session.userId, body ?? {});
      return {
        message: 'API key created successfully',
        apiKey: { ...shape.presentApiKey(key), rawKey: key.rawKey },
      };
    },
  );

  server.patch(
    '/auth/api-keys/:keyId',
    {
      onRequest,
      schema: {
        operationId: 'renameApiKey',
        summary: 'Rename an API key',
        description: 'The key itself stays the same.',
        tags,
        example: examples.renameApiKey,
        params: shape.KeyParams,
        body: shape.RenameApiKey,
        response: { 200: shape.RenamedApiKey },
      },
      config: {
        problems: ['api_key_id_invalid', 'api_key_name_required', 'api_key_name_too_long', 'api_key_not_found'],
      },
    },
    async ({ session, params, body }) => ({
      message: 'API key updated successfully',
      apiKey: shape.presentApiKey(await renameApiKey(app, session.userId, params.keyId, body)),
    }),
  );

  server.delete(
    '/auth/api-keys/:keyId',
    {
      onRequest,
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'The key stops working at once.',
        tags,
        example: examples.revokeApiKey,
        params: shape.KeyParams,
        response: { 200: shape.Message },
      },
      config: { problems: ['api_key_id_invalid', 'api_key_not_found'] },
    },
    async ({ session, params }) => {
      await revokeApiKey(app, session.userId, params.keyId);
      return { message: 'API key revoked successfully' };
    },
  );

  server.post(
    '/auth/generate-api-key',
    {
      onRequest,
      schema: {
        operationId: 'generateApiKey',
        summary: 'Replace the current API key',
        description: 'The previous current key stops working. Only this response has the new one.',
        tags,
        example: examples.generateApiKey,
        response: { 200: shape.GeneratedApiKey },
      },
      config: { problems: ['plan_without_api'] },
    },
    async ({ session }) => ({
      message: 'API key generated successfully',
      apiKey: await replaceCurrentKey(app, session.userId),
    }),
  );
}

const userOf = ({ userId, email, name, plan }: Session) => shape.presentUser({ id: userId, email, name, plan });
