import type { App } from '../app.ts';
import type { ProblemKey } from '../errors.ts';
import type { Server } from '../http/fastify.ts';
import { requireSession } from '../http/session.ts';
import { callbackPage } from './callback-page.ts';
import { chooseAccounts, finishConnect, listConnectables, readChoice, startConnect } from './connect.ts';
import { disconnect } from './disconnect.ts';
import { listConnections } from './list-connections.ts';
import { platformLimits } from './platform-limits.ts';
import { PlatformLimits } from './platform-limits-schema.ts';
import * as shape from './schema.ts';
import { testConnection } from './test-connection.ts';

const tags = ['Connections'];

/** For whoever has an API key. */
export function connectionRoutes(server: Server, app: App) {
  server.get(
    '/platform-limits',
    {
      schema: {
        operationId: 'platformLimits',
        summary: 'Read what each platform allows: text, images, video, documents',
        tags,
        response: { 200: PlatformLimits },
      },
    },
    () => platformLimits(),
  );

  server.get(
    '/platform-connections',
    {
      schema: {
        operationId: 'listConnections',
        summary: 'List the connected accounts and whether they can be posted to',
        tags,
        response: { 200: shape.Connections },
      },
      config: { failure: 'connections_unreadable' },
    },
    ({ who }) => listConnections(app, who),
  );

  server.post(
    '/test-connection/:platformId',
    {
      schema: {
        operationId: 'testConnection',
        summary: 'Ask a network whether an account can be used; the outcome is in `status`',
        tags,
        params: shape.ConnectionPath,
        response: { 200: shape.ConnectionTest },
      },
      config: { failure: 'connection_test_failed', problems: ['platform_id_unreadable', 'connection_not_found'] },
    },
    ({ who, params }) => testConnection(app, who, params.platformId),
  );
}

const connectProblems = [
  'connect_refused',
  'connect_unavailable',
  'connect_nothing_found',
  'channel_limit_reached',
] as const satisfies ProblemKey[];

/** For whoever is signed in to the dashboard: accounts are connected by people. */
export function connectRoutes(server: Server, app: App) {
  const onRequest = requireSession(app);

  server.get(
    '/connect',
    {
      onRequest,
      schema: {
        operationId: 'listConnectables',
        summary: 'List the networks that can be connected, and what each asks for',
        tags,
        response: { 200: shape.Connectables },
      },
    },
    () => ({ platforms: listConnectables(app) }),
  );

  server.post(
    '/connect/:platform',
    {
      onRequest,
      schema: {
        operationId: 'startConnect',
        summary: 'Connect an account: gives the consent page, or the account where a form is enough',
        tags,
        params: shape.ConnectPath,
        body: shape.ConnectForm,
        response: { 200: shape.ConnectStarted },
      },
      config: {
        failure: 'connect_failed',
        problems: ['connect_platform_unknown', 'connect_fields_invalid', ...connectProblems],
      },
    },
    ({ session, params, body }) => startConnect(app, session, params.platform, body.fields),
  );

  server.get(
    '/connect/callback',
    {
      onRequest,
      schema: {
        operationId: 'finishConnect',
        summary: 'Where a network sends the person back to',
        tags,
        querystring: shape.ConnectCallback,
        produces: ['text/html'],
        response: { 200: shape.ConnectedPage },
      },
      config: {
        failure: 'connect_failed',
        problems: ['connect_state_invalid', 'connect_cancelled', ...connectProblems],
      },
    },
    (request, reply) => callbackPage(app, reply, () => finishConnect(app, request.session, request.query)),
  );

  server.get(
    '/connect/choices/:choiceId',
    {
      onRequest,
      schema: {
        operationId: 'readAccountChoice',
        summary: 'Read which accounts a sign-in opened, to choose among them',
        tags,
        params: shape.ChoicePath,
        response: { 200: shape.AccountChoice },
      },
      config: { failure: 'connect_failed', problems: ['connect_choice_not_found'] },
    },
    ({ session, params }) => readChoice(app, session, params.choiceId.toLowerCase()),
  );

  server.post(
    '/connect/choices/:choiceId',
    {
      onRequest,
      schema: {
        operationId: 'chooseAccounts',
        summary: 'Connect the chosen ones of several accounts that a sign-in opened',
        tags,
        params: shape.ChoicePath,
        body: shape.Choice,
        response: { 200: shape.AccountsConnected },
      },
      config: {
        failure: 'connect_failed',
        problems: ['connect_choice_not_found', 'connect_choice_invalid', 'channel_limit_reached'],
      },
    },
    ({ session, params, body }) => chooseAccounts(app, session, params.choiceId.toLowerCase(), body.accountIds),
  );

  server.delete(
    '/connections/:platformId',
    {
      onRequest,
      schema: {
        operationId: 'disconnect',
        summary: 'Disconnect an account',
        tags,
        params: shape.ConnectionPath,
        response: { 200: shape.Disconnected },
      },
      config: { failure: 'disconnect_failed', problems: ['platform_id_unreadable', 'connection_not_found'] },
    },
    ({ session, params }) => disconnect(app, session, params.platformId),
  );
}
