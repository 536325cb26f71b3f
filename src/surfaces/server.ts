import type { App } from '../app.ts';
import { accountDataRoutes } from '../features/account-data/routes.ts';
import { auditRoutes } from '../features/accounts/audit/routes.ts';
import { contextRoutes } from '../features/accounts/context/routes.ts';
import { profileRoutes } from '../features/accounts/profile/routes.ts';
import { signInPageRoutes } from '../features/accounts/profile/sign-in-page-routes.ts';
import { accountPageRoutes } from '../features/accounts/recovery/page-routes.ts';
import { passwordRoutes } from '../features/accounts/recovery/routes.ts';
import { workspaceMemberRoutes } from '../features/accounts/workspace/member-routes.ts';
import { workspaceRoutes } from '../features/accounts/workspace/routes.ts';
import { requireApiKey } from '../features/auth/access/api-key.ts';
import {
  actingSessionAccess,
  keyOrSessionAccess,
  requireKeyOrSession,
} from '../features/auth/access/api-key-or-session.ts';
import { authOf, requireSession, sessionAccess } from '../features/auth/access/session.ts';
import { recheckAfterBody, recheckBeforeAnswer } from '../features/auth/api-keys/live-credential.ts';
import { apiKeyRoutes } from '../features/auth/api-keys/routes.ts';
import { oauthRoutes } from '../features/auth/oauth/routes.ts';
import { passkeyRoutes } from '../features/auth/passkeys/routes.ts';
import { sessionListRoutes } from '../features/auth/sessions/routes.ts';
import { sessionRoutes } from '../features/auth/sign-in/routes.ts';
import { twoFactorRoutes } from '../features/auth/two-factor/routes.ts';
import { linkRoutes } from '../features/connections/connect/link-routes.ts';
import { reviewRoutes } from '../features/connections/credentials/review-routes.ts';
import { connectionRoutes, connectRoutes } from '../features/connections/routes.ts';
import { draftRoutes } from '../features/drafts/routes.ts';
import { avatarRoutes } from '../features/files/avatars/avatar-routes.ts';
import { brandAvatarRoutes } from '../features/files/avatars/brand-avatar-routes.ts';
import { mediaFileRoutes } from '../features/files/serve-routes.ts';
import { linkedinStatisticsRoutes } from '../features/insights/linkedin/statistics-routes.ts';
import { statisticsRoutes } from '../features/insights/statistics/routes.ts';
import { linkedinRoutes } from '../features/interactions/linkedin/routes.ts';
import { libraryRoutes } from '../features/media/library/routes.ts';
import { mediaRoutes } from '../features/media/list/routes.ts';
import { attachmentRoutes, attachmentSessionRoutes } from '../features/media/routes.ts';
import { thumbnailRoutes, videoRoutes } from '../features/media/uploads/routes.ts';
import { changeManyRoutes } from '../features/posts/bulk/routes.ts';
import { importRoutes } from '../features/posts/import/routes.ts';
import { labelRoutes } from '../features/posts/labels/routes.ts';
import { postRoutes } from '../features/posts/routes.ts';
import { publishingRoutes } from '../features/publishing/retry/routes.ts';
import { logCalls } from '../features/request-log/request-log.ts';
import { requestLogRoutes } from '../features/request-log/routes.ts';
import { slotRoutes } from '../features/slots/routes.ts';
import { streamRoutes, triggerRoutes } from '../features/stream/routes.ts';
import { webhookRoutes, webhookSessionRoutes } from '../features/webhooks/routes.ts';
import { webhookEvents } from '../foundation/events/catalogue.ts';
import { buildFastify } from '../foundation/http/fastify.ts';
import { describeAccess, describeRoutes } from '../foundation/http/openapi/openapi.ts';
import { countingRefusals, rateLimits } from '../foundation/http/rate-limits/rate-limits.ts';
import { type SlowClientLimits, slowClientLimits } from '../foundation/http/requests/slow-clients.ts';
import type { Server } from '../foundation/http/server.ts';
import { platforms } from '../platforms/index.ts';
import { healthRoutes } from './health/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { dashboardPage, dashboardRoutes } from './pages/dashboard/routes.ts';
import { documentRoutes, landingRoutes } from './pages/routes.ts';

/** The contract withdrew these routes (contract.md#linkedin-feed.not-found). */
const withdrawn = ['linkedin-posts', 'linkedin-post-comments', 'linkedin-post-reactions'].map(
  (name) => `/api/v1/${name}`,
);

export interface ServerOptions {
  slowClients?: SlowClientLimits;
  /** The folder of the built dashboard. Default: the service has none. */
  dashboardFolder?: string | null;
  /** Aborted when the process starts to shut down. */
  stopping?: AbortSignal | null;
}

/** The HTTP server with all its routes. */
export async function buildServer(app: App, options: ServerOptions = {}): Promise<Server> {
  const { slowClients = slowClientLimits, dashboardFolder = null, stopping = null } = options;
  const { log, newId, config } = app;
  const { corsOrigins, trustProxy, rateFactor } = config;
  const strictTransport = app.publicUrl.startsWith('https://');
  const sendPage = dashboardFolder ? dashboardPage(config, dashboardFolder) : null;
  const server = await buildFastify({
    log,
    newId,
    corsOrigins,
    trustProxy,
    strictTransport,
    withdrawn,
    notFoundPage: sendPage,
    slowClients,
    rateFactor,
  });
  const networks = Object.values(platforms).map(({ name }) => name);
  describeRoutes(server, { webhookEvents: Object.values(webhookEvents), networks });
  const flushCalls = logCalls(server, app);
  // Otherwise every request would wait half a second when the first person signs in. In the sandbox, saving 40 MB is
  // worth that.
  if (config.platformMode === 'live') server.addHook('onReady', async () => void (await authOf(app)));
  if (config.tracing) (await import('../foundation/http/trace-requests.ts')).traceRequests(server);
  healthRoutes(server, app, stopping);
  documentRoutes(server, app);
  if (dashboardFolder && sendPage) await dashboardRoutes(server, sendPage, dashboardFolder);
  else landingRoutes(server, app);
  mediaFileRoutes(server, app);

  const { limitCallers } = rateLimits(server, app);
  await linkRoutes(server, app, limitCallers);
  await accountPageRoutes(server, app, limitCallers);
  await reviewRoutes(server, app, limitCallers);
  const byKey = countingRefusals(requireApiKey(app));
  await mcpRoutes(server, app, byKey);
  await oauthRoutes(server, app, limitCallers);
  const [afterBody, beforeAnswer] = [recheckAfterBody(app), recheckBeforeAnswer(app)];
  // Routes for dashboard sessions.
  await server.register(
    async (session: Server) => {
      describeAccess(session, sessionAccess);
      session.addHook('preParsing', limitCallers);
      session.addHook('preValidation', afterBody);
      session.addHook('onSend', beforeAnswer);
      sessionRoutes(session, app);
      sessionListRoutes(session, app);
      twoFactorRoutes(session, app);
      passkeyRoutes(session, app);
      passwordRoutes(session, app);
      profileRoutes(session, app);
      signInPageRoutes(session, app);
      apiKeyRoutes(session, app);
      workspaceMemberRoutes(session, app);
      requestLogRoutes(session, app, flushCalls);
      webhookSessionRoutes(session, app);
      accountDataRoutes(session, app);
    },
    { prefix: '/api/v1' },
  );
  // Routes for dashboard sessions that may act for a managed user.
  await server.register(
    async (session: Server) => {
      describeAccess(session, actingSessionAccess);
      session.addHook('preParsing', limitCallers);
      session.addHook('preValidation', afterBody);
      session.addHook('onSend', beforeAnswer);
      auditRoutes(session, app);
      draftRoutes(session, app);
      connectRoutes(session, app);
      attachmentSessionRoutes(session, app);
    },
    { prefix: '/api/v1' },
  );

  const byKeyOrSession = requireKeyOrSession(app, byKey, requireSession(app));
  // Routes for API keys and dashboard sessions.
  await server.register(
    async (keyed: Server) => {
      describeAccess(keyed, keyOrSessionAccess);
      keyed.addHook('onRequest', byKeyOrSession);
      keyed.addHook('preParsing', limitCallers);
      keyed.addHook('preValidation', afterBody);
      keyed.addHook('onSend', beforeAnswer);
      postRoutes(keyed, app);
      importRoutes(keyed, app);
      changeManyRoutes(keyed, app);
      publishingRoutes(keyed, app);
      labelRoutes(keyed, app);
      slotRoutes(keyed, app);
      mediaRoutes(keyed, app);
      attachmentRoutes(keyed, app);
      libraryRoutes(keyed, app);
      await thumbnailRoutes(keyed, app);
      connectionRoutes(keyed, app);
      avatarRoutes(keyed, app);
      brandAvatarRoutes(keyed, app);
      linkedinRoutes(keyed, app);
      linkedinStatisticsRoutes(keyed, app);
      webhookRoutes(keyed, app);
      triggerRoutes(keyed, app);
      statisticsRoutes(keyed, app);
      workspaceRoutes(keyed, app);
      contextRoutes(keyed, app);
      await videoRoutes(keyed, app);
      streamRoutes(keyed, app);
    },
    { prefix: '/api/v1' },
  );
  return server;
}
