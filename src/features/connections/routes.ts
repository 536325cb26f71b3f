import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { ProblemKey } from '../../foundation/errors/index.ts';
import type { Server } from '../../foundation/http/server.ts';
import { Success } from '../../foundation/http/shapes.ts';
import { ownerActor, userActor } from '../audit/actors.ts';
import { requireActingSession } from '../auth/access/api-key-or-session.ts';
import { listBrandsInTurn } from '../users/brands.ts';
import { callbackPage } from './connect/callback-page.ts';
import { chooseAccounts, finishConnect, listConnectables, readChoice, startConnect } from './connect/connect.ts';
import { linkTokenFor } from './connect/link-cookie.ts';
import { returnToLink } from './connect/link-routes.ts';
import { addressAtMark, nameMark } from './connect/local-names.ts';
import { returnCookie, returnPlaceFor, returnToDashboard } from './connect/return-cookie.ts';
import { connectNewSandboxAccount } from './connect/sandbox.ts';
import { testConnection } from './credentials/test-connection.ts';
import { disconnect } from './disconnect.ts';
import * as examples from './examples.ts';
import { listConnections, listConnectionsOfBrands } from './list-connections.ts';
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
          'Lists the limits for text, images, videos and documents. Sizes are in bytes and durations in seconds.',
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
          'Lists your connected accounts and whether you can publish to them now. This does not query the platforms; use `test-connection` for that.',
        tags,
        example: examples.listConnections,
        querystring: shape.ListConnections,
        response: { 200: shape.Connections },
      },
      config: { failure: 'connections_unreadable', problems: ['list_brands_invalid'] },
    },
    ({ who, query }, reply) =>
      query.brands
        ? listBrandsInTurn(who.ownerId, reply, () => listConnectionsOfBrands(app, who))
        : listConnections(app, who),
  );

  server.post(
    '/test-connection/:platformId',
    {
      schema: {
        operationId: 'testConnection',
        summary: 'Test a connection',
        description:
          'Asks the platform whether the connection works. The HTTP status is 200 even if it does not, so read `status` and `message`.',
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

/** The person who is signed in, who may act for a managed user. */
const ownerOf = (request: FastifyRequest) => {
  const { who, session } = request;
  const isOwn = who.userId === session.userId;
  return {
    userId: who.userId,
    ownerId: who.ownerId,
    session,
    actor: isOwn ? userActor(session.userId, request) : ownerActor(session.userId),
  };
};

const brandOf = ({ who, session }: FastifyRequest) => (who.userId === session.userId ? null : who.userId);

/** Routes for dashboard sessions: a user connects an account in a browser. */
export function connectRoutes(server: Server, app: App) {
  const onRequest = requireActingSession(app);

  server.get(
    '/connect',
    {
      onRequest,
      schema: {
        operationId: 'listConnectablePlatforms',
        summary: 'List the networks you can connect',
        description: 'Lists how to connect each network and which fields to fill in first.',
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
          "Returns the URL of the network's consent page, to open in a browser. If the network only needs a form, the account is connected immediately.",
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
      const start = { mark: nameMark(app, request), countStart: () => request.countRate('connectStart') };
      const started = await startConnect(app, ownerOf(request), request.params.platform, fields, start);
      if (returnTo && 'state' in started)
        reply.header('set-cookie', returnCookie(app, started.state, { page: returnTo, brand: brandOf(request) }));
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
          'Creates an account in the sandbox and connects it. Available only if `sandboxUrl` is set in the settings.',
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
    (request) => connectNewSandboxAccount(app, ownerOf(request), request.params.platform),
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
          'Networks redirect the browser to this URL after the consent page. Returns a page, or redirects to the dashboard.',
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
      const place = returnPlaceFor(request, request.query.state ?? '');
      const finish = () => finishConnect(app, ownerOf(request), request.query);
      if (link === null) return place ? returnToDashboard(app, reply, place, finish) : callbackPage(app, reply, finish);
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
    ({ who, params }) => readChoice(app, who, params.choiceId.toLowerCase()),
  );

  server.post(
    '/connect/choices/:choiceId',
    {
      onRequest,
      schema: {
        operationId: 'chooseAccounts',
        summary: 'Connect the selected accounts',
        description: 'Connects the selected accounts, and no others.',
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
    (request) => chooseAccounts(app, ownerOf(request), request.params.choiceId.toLowerCase(), request.body.accountIds),
  );

  server.delete(
    '/connections/:platformId',
    {
      onRequest,
      schema: {
        operationId: 'deleteConnection',
        summary: 'Disconnect an account',
        description:
          'Deletes the connection and its credentials. Posts that are scheduled for this account become drafts when they are due.',
        tags,
        example: examples.deleteConnection,
        params: shape.ConnectionPath,
        response: { 200: Success },
      },
      config: { failure: 'disconnect_failed', problems: ['platform_id_unreadable', 'connection_not_found'] },
    },
    (request) => disconnect(app, request.who, request.params.platformId, ownerOf(request).actor),
  );
}
