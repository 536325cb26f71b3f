import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { ProblemKey } from '../../../foundation/errors/index.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { userActor } from '../../audit/actors.ts';
import * as examples from '../../users/examples.ts';
import { Message } from '../../users/schema.ts';
import { requireSession } from '../access/session.ts';
import { mailAccessAdded } from '../sessions/access-notice.ts';
import { inLiveSession } from '../sessions/sessions.ts';
import { addApiKey, changeApiKey, exchangeCurrentKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import * as shape from './schema.ts';

/** The API keys of the signed-in user (contract.md#api-keys). */
export function apiKeyRoutes(server: Server, app: App) {
  const tags = ['API keys'];
  const onRequest = requireSession(app);

  server.get(
    '/auth/api-keys',
    {
      onRequest,
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'Lists the active keys, without their secrets.',
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
        description:
          'Only this response contains the key itself, as `rawKey`. At most 10 keys can be active. By default, a key has every scope, works from any address and never expires.',
        tags,
        example: examples.createApiKey,
        body: shape.CreateApiKey.nullish(),
        response: { 200: shape.CreatedApiKey },
      },
      config: { problems: ['api_key_name_invalid', 'api_key_limit', 'plan_without_api', ...ruleProblems] },
    },
    async (request) => {
      const { session, body } = request;
      const key = await inLiveSession(app, session, async (tx) => {
        const made = await addApiKey(app, tx, session.userId, body ?? {}, personOf(request));
        await mailAccessAdded(app, tx, { what: 'API key', name: made.name }, { session, request });
        return made;
      });
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
        operationId: 'updateApiKey',
        summary: 'Change an API key',
        description: 'Changes the name and the limits, effective immediately. The key itself stays the same.',
        tags,
        example: examples.updateApiKey,
        params: shape.KeyParams,
        body: shape.ChangeApiKey,
        response: { 200: shape.ChangedApiKey },
      },
      config: {
        problems: [
          'api_key_id_invalid',
          'api_key_name_required',
          'api_key_name_too_long',
          'api_key_not_found',
          ...ruleProblems,
        ],
      },
    },
    async (request) => {
      const { session, params, body } = request;
      const key = await inLiveSession(app, session, async (tx) => {
        const inside = { ...app, db: tx };
        const changed = await changeApiKey(inside, session.userId, params.keyId, body, personOf(request));
        if (changed.isWider) {
          await mailAccessAdded(app, tx, { what: 'wider API key', name: changed.key.name }, { session, request });
        }
        return changed.key;
      });
      return { message: 'API key updated successfully', apiKey: shape.presentApiKey(key) };
    },
  );

  server.delete(
    '/auth/api-keys/:keyId',
    {
      onRequest,
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'The key stops working immediately. What it created stays: posts, webhooks, managed users, and their keys and ' +
          'connection links. `GET /auth/audit-log` shows webhooks, keys and links with the prefix of the key that created them.',
        tags,
        example: examples.revokeApiKey,
        params: shape.KeyParams,
        response: { 200: Message },
      },
      config: { problems: ['api_key_id_invalid', 'api_key_not_found'], whileLeaving: true },
    },
    async (request) => {
      await revokeApiKey(app, request.session.userId, request.params.keyId, personOf(request));
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
        description: 'The previous current key stops working. Only this response contains the new one.',
        tags,
        example: examples.generateApiKey,
        response: { 200: shape.GeneratedApiKey },
      },
      config: { problems: ['plan_without_api'] },
    },
    async (request) => {
      const { session } = request;
      const { rawKey } = await inLiveSession(app, session, async (tx) => {
        const made = await exchangeCurrentKey(app, tx, session.userId, personOf(request));
        await mailAccessAdded(app, tx, { what: 'API key', name: made.name }, { session, request });
        return made;
      });
      return { message: 'API key generated successfully', apiKey: rawKey };
    },
  );
}

const ruleProblems = [
  'api_key_scopes_invalid',
  'api_key_expiry_invalid',
  'api_key_expiry_past',
  'api_key_addresses_invalid',
] as const satisfies ProblemKey[];

const personOf = (request: FastifyRequest) => userActor(request.session.userId, request);
