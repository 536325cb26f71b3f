import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { limitAttempts } from '../http/attempt-limit.ts';
import type { Server } from '../http/fastify.ts';
import { type Credentials, requireOwnOrigin, requireSession, type Session, signIn, signOut } from '../http/session.ts';
import { signUp } from './accounts.ts';
import { createApiKey, listApiKeys, renameApiKey, replaceCurrentKey, revokeApiKey } from './api-keys.ts';
import * as shape from './schema.ts';

/** Signing in, and the API keys of whoever is signed in (contract 4.12). */
export function accountRoutes(server: Server, app: App): void {
  sessionRoutes(server, app);
  apiKeyRoutes(server, app);
}

function sessionRoutes(server: Server, app: App) {
  const tags = ['Session'];
  const onRequest = requireOwnOrigin(app);
  // Many people may share an address; few share an e-mail.
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
        summary: 'Make an account and sign in',
        operationId: 'signUp',
        security: [],
        tags,
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
        summary: 'Sign in with e-mail and password',
        operationId: 'signIn',
        security: [],
        tags,
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
      schema: { summary: 'Sign out', operationId: 'signOut', tags, security: [], response: { 200: shape.Message } },
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
      schema: { summary: 'Who is signed in', operationId: 'getSession', tags, response: { 200: shape.WhoAmI } },
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
      schema: { summary: 'List API keys', operationId: 'listApiKeys', tags, response: { 200: shape.ApiKeys } },
    },
    async ({ session }) => ({ apiKeys: (await listApiKeys(app, session.userId)).map(shape.presentApiKey) }),
  );

  server.post(
    '/auth/api-keys',
    {
      onRequest,
      schema: {
        summary: 'Make an API key',
        description: 'The raw key is in this answer and never again. At most 10 are active.',
        operationId: 'createApiKey',
        tags,
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
        summary: 'Rename an API key',
        operationId: 'renameApiKey',
        tags,
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
        summary: 'Revoke an API key',
        operationId: 'revokeApiKey',
        tags,
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
        summary: 'Replace the single current API key',
        description: 'The key before it stops working. The raw key is in this answer and never again.',
        operationId: 'generateApiKey',
        tags,
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
