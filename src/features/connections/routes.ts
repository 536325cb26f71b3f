import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { ProblemKey } from '../../foundation/errors/index.ts';
import type { Server } from '../../foundation/http/server.ts';
import { Success } from '../../foundation/http/shapes.ts';
import { userActor } from '../audit/actors.ts';
import { requireSession } from '../auth/access/session.ts';
import { callbackPage } from './connect/callback-page.ts';
import { chooseAccounts, finishConnect, listConnectables, readChoice, startConnect } from './connect/connect.ts';
import { linkTokenFor } from './connect/link-cookie.ts';
import { returnToLink } from './connect/link-routes.ts';
import { addressAtMark, nameMark } from './connect/local-names.ts';
import { returnCookie, returnPageFor, returnToDashboard } from './connect/return-cookie.ts';
import { connectNewSandboxAccount } from './connect/sandbox.ts';
import { testConnection } from './credentials/test-connection.ts';
import { disconnect } from './disconnect.ts';
import * as examples from './examples.ts';
import { listConnections } from './list-connections.ts';
import { platformLimits } from './platform-limits.ts';
import { PlatformLimits } from './platform-limits-schema.ts';
import * as shape from './schema.ts';

const tags = ['Connections'];

/** Routes for API keys. */
export function connectionRoutes(server: Server, app: App) {
  server.get(
    '/platform-limits',
    {
      schema: {
        operationId: 'getPlatformLimits',
        summary: 'Read the limits of each platform',
        description:
          'Lists the limits for text, images, videos and documents. Sizes are in bytes, durations in seconds.',
        tags,
        example: examples.getPlatformLimits,
        response: { 200: PlatformLimits },
      },
    },
    () => platformLimits,
  );

  server.get(
    '/platform-connections',
    {
      schema: {
        operationId: 'listConnections',
        summary: 'List the connected accounts',
        description:
          'Shows your connected accounts and whether publishing can work now. The platforms are not queried: ' +
          'use `test-connection` for that.',
        tags,
        example: examples.listConnections,
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
        summary: 'Test a connection',
        description:
          'Asks the platform whether the account works. The HTTP status is 200 even if it does not: read `status` ' +
          'and `message`.',
        tags,
        example: examples.testConnection,
        params: shape.ConnectionPath,
        response: { 200: shape.ConnectionTest },
      },
      config: {
        scope: 'read',
        failure: 'connection_test_failed',
        problems: ['platform_id_unreadable', 'connection_not_found'],
      },
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

/** The token of the connection link, if the browser went to the consent page from the page of a link. */
const linkOf = (app: App, request: FastifyRequest) => linkTokenFor(app, request, stateOf(request));

/** For a callback whose query has not been validated yet. */
const stateOf = ({ query }: FastifyRequest) => String(Object(query).state ?? '');

const personOf = (request: FastifyRequest) => {
  const { userId, sessionId } = request.session;
  return { userId, sessionId, actor: userActor(userId, request) };
};

/** Routes for dashboard sessions: a user connects an account in a browser. */
export function connectRoutes(server: Server, app: App) {
  const onRequest = requireSession(app);

  server.get(
    '/connect',
    {
      onRequest,
      schema: {
        operationId: 'listConnectablePlatforms',
        summary: 'List the networks you can connect',
        description: 'Shows how each network is connected and which fields to fill in first.',
        tags,
        example: examples.listConnectablePlatforms,
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
        summary: 'Start connecting an account',
        description:
          'Returns the consent page of the network to open in a browser. Where a form is enough, the account is connected ' +
          'immediately.',
        tags,
        example: examples.startConnect,
        params: shape.ConnectPath,
        body: shape.ConnectForm,
        response: { 200: shape.ConnectStarted },
      },
      config: {
        failure: 'connect_failed',
        problems: ['connect_platform_unknown', 'connect_fields_invalid', 'connect_return_invalid', ...connectProblems],
      },
    },
    async (request, reply) => {
      const { fields, returnTo } = request.body;
      const mark = nameMark(app, request);
      const started = await startConnect(app, personOf(request), request.params.platform, fields, mark);
      if (returnTo && 'state' in started) reply.header('set-cookie', returnCookie(app, started.state, returnTo));
      return started;
    },
  );

  server.post(
    '/connect-sandbox/:platform',
    {
      onRequest,
      schema: {
        operationId: 'createSandboxAccount',
        summary: 'Create and connect a sandbox account',
        description:
          'Creates an account in the sandbox and connects it. Available only if `sandboxUrl` of the settings is set.',
        tags,
        example: examples.createSandboxAccount,
        params: shape.ConnectPath,
        response: { 200: shape.AccountsConnected },
      },
      config: {
        failure: 'connect_failed',
        problems: ['connect_sandbox_off', 'connect_platform_unknown', ...connectProblems],
      },
    },
    (request) => connectNewSandboxAccount(app, personOf(request), request.params.platform),
  );

  server.get(
    '/connect/callback',
    {
      async onRequest(request, reply) {
        const elsewhere = addressAtMark(app, request, stateOf(request));
        if (elsewhere) return reply.redirect(elsewhere, 303);
        if (linkOf(app, request) !== null) return;
        await onRequest.call(server, request, reply).catch((error: unknown) => {
          // Show a page to users, and return the error to programs.
          if (!request.headers.accept?.includes('text/html')) throw error;
          return callbackPage(app, reply, () => Promise.reject(error));
        });
      },
      schema: {
        operationId: 'finishConnect',
        summary: 'Finish connecting an account',
        description:
          'The URL that a network redirects the browser to after its consent page. Returns a page, or redirects to the dashboard.',
        tags,
        example: examples.finishConnect,
        querystring: shape.ConnectCallback,
        produces: ['text/html'],
        response: { 200: shape.ConnectedPage },
      },
      config: {
        failure: 'connect_failed',
        problems: ['connect_state_invalid', 'connect_issuer_wrong', 'connect_cancelled', ...connectProblems],
      },
    },
    (request, reply) => {
      const link = linkOf(app, request);
      const page = returnPageFor(request, request.query.state ?? '');
      const finish = () => finishConnect(app, personOf(request), request.query);
      if (link === null) return page ? returnToDashboard(app, reply, page, finish) : callbackPage(app, reply, finish);
      return returnToLink(app, link, reply, (holder) => finishConnect(app, holder, request.query));
    },
  );

  server.get(
    '/connect/choices/:choiceId',
    {
      onRequest,
      schema: {
        operationId: 'getAccountChoice',
        summary: 'List the accounts to choose from',
        description: 'One consent can give access to several accounts, such as the pages of a Facebook user.',
        tags,
        example: examples.getAccountChoice,
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
        summary: 'Connect the selected accounts',
        description: 'Completes a selection: the named accounts are connected, the others are not.',
        tags,
        example: examples.chooseAccounts,
        params: shape.ChoicePath,
        body: shape.Choice,
        response: { 200: shape.AccountsConnected },
      },
      config: {
        failure: 'connect_failed',
        problems: ['connect_choice_not_found', 'connect_choice_invalid', 'channel_limit_reached'],
      },
    },
    (request) => chooseAccounts(app, personOf(request), request.params.choiceId.toLowerCase(), request.body.accountIds),
  );

  server.delete(
    '/connections/:platformId',
    {
      onRequest,
      schema: {
        operationId: 'deleteConnection',
        summary: 'Disconnect an account',
        description:
          'Deletes the connection and its credentials. Scheduled posts to this account become drafts when they are due.',
        tags,
        example: examples.deleteConnection,
        params: shape.ConnectionPath,
        response: { 200: Success },
      },
      config: { failure: 'disconnect_failed', problems: ['platform_id_unreadable', 'connection_not_found'] },
    },
    (request) => disconnect(app, request.session, request.params.platformId, personOf(request).actor),
  );
}
