import { accountPageRoutes } from './accounts/account-page-routes.ts';
import { apiKeyRoutes } from './accounts/api-key-routes.ts';
import { contextRoutes } from './accounts/context-routes.ts';
import { dashboardSettingsRoutes } from './accounts/dashboard-settings-routes.ts';
import { passkeyRoutes } from './accounts/passkeys-routes.ts';
import { passwordRoutes } from './accounts/password-routes.ts';
import { profileRoutes } from './accounts/profile-routes.ts';
import { sessionRoutes } from './accounts/session-routes.ts';
import { sessionListRoutes } from './accounts/sessions-routes.ts';
import { twoFactorRoutes } from './accounts/two-factor-routes.ts';
import { workspaceMemberRoutes } from './accounts/workspace-member-routes.ts';
import { workspaceRoutes } from './accounts/workspace-routes.ts';
import type { App } from './app.ts';
import { attachmentRoutes, attachmentSessionRoutes } from './attachments/routes.ts';
import { thumbnailRoutes, videoRoutes } from './attachments/upload-routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { linkRoutes } from './connections/link-routes.ts';
import { reviewRoutes } from './connections/review-routes.ts';
import { connectionRoutes, connectRoutes } from './connections/routes.ts';
import { draftRoutes } from './drafts/routes.ts';
import { webhookEvents } from './events/catalogue.ts';
import { healthRoutes } from './health/routes.ts';
import { keyOrSessionAccess, requireKeyOrSession } from './http/api-key-or-session.ts';
import { requireApiKey } from './http/auth.ts';
import { dashboardRoutes } from './http/dashboard/routes.ts';
import { documentRoutes, landingRoutes } from './http/docs.ts';
import { buildFastify, type Server } from './http/fastify.ts';
import { describeAccess, describeRoutes } from './http/openapi.ts';
import { countingRefusals, rateLimits } from './http/rate-limits.ts';
import { logCalls } from './http/request-log.ts';
import { requestLogRoutes } from './http/request-log-routes.ts';
import { authOf, requireSession, sessionAccess } from './http/session.ts';
import { type SlowClientLimits, slowClientLimits } from './http/slow-clients.ts';
import { linkedinStatisticsRoutes } from './insights/linkedin/statistics-routes.ts';
import { statisticsRoutes } from './insights/statistics/routes.ts';
import { linkedinRoutes } from './interactions/linkedin/routes.ts';
import { oauthRoutes } from './mcp/oauth-routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { avatarRoutes } from './media/avatars/avatar-routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { mediaFileRoutes } from './media/serve-routes.ts';
import { platforms } from './platforms/index.ts';
import { changeManyRoutes } from './posts/change-many-routes.ts';
import { importRoutes } from './posts/import-routes.ts';
import { postRoutes } from './posts/routes.ts';
import { publishingRoutes } from './publishing/routes.ts';
import { slotRoutes } from './slots/routes.ts';
import { streamRoutes, triggerRoutes } from './stream/routes.ts';
import { webhookRoutes, webhookSessionRoutes } from './webhooks/routes.ts';

/** The contract withdrew these routes (part 2: 4.1). */
const withdrawn = ['linkedin-posts', 'linkedin-post-comments', 'linkedin-post-reactions'].map(
  (name) => `/api/v1/${name}`,
);

export interface ServerOptions {
  slowClients?: SlowClientLimits;
  /** Where the built dashboard is. Default: the service has none. */
  dashboardFolder?: string | null;
  /** Aborted when the process is told to stop. */
  stopping?: AbortSignal | null;
}

/** The HTTP server with all its routes. */
export async function buildServer(app: App, options: ServerOptions = {}): Promise<Server> {
  const { slowClients = slowClientLimits, dashboardFolder = null, stopping = null } = options;
  const { log, newId, config } = app;
  const { corsOrigins, trustProxy, rateFactor } = config;
  const strictTransport = app.publicUrl.startsWith('https://');
  const server = await buildFastify({
    log,
    newId,
    corsOrigins,
    trustProxy,
    strictTransport,
    withdrawn,
    slowClients,
    rateFactor,
  });
  const networks = Object.values(platforms).map(({ name }) => name);
  describeRoutes(server, { webhookEvents: Object.values(webhookEvents), networks });
  logCalls(server, app);
  // Otherwise all wait for half a second when the first person signs in. In the sandbox, 40 MB less are worth that.
  if (config.platformMode === 'live') server.addHook('onReady', async () => void (await authOf(app)));
  if (config.tracing) (await import('./http/trace-requests.ts')).traceRequests(server);
  healthRoutes(server, app, stopping);
  documentRoutes(server, app);
  if (dashboardFolder) await dashboardRoutes(server, app, dashboardFolder);
  else landingRoutes(server, app);
  mediaFileRoutes(server, app);

  const { limitCallers } = rateLimits(server, app);
  await linkRoutes(server, app, limitCallers);
  await accountPageRoutes(server, app, limitCallers);
  await reviewRoutes(server, app, limitCallers);
  const byKey = countingRefusals(requireApiKey(app));
  await mcpRoutes(server, app, byKey);
  await oauthRoutes(server, app, limitCallers);
  // Routes for sessions of the dashboard.
  await server.register(
    async (session: Server) => {
      describeAccess(session, sessionAccess);
      session.addHook('preParsing', limitCallers);
      sessionRoutes(session, app);
      sessionListRoutes(session, app);
      twoFactorRoutes(session, app);
      passkeyRoutes(session, app);
      passwordRoutes(session, app);
      profileRoutes(session, app);
      dashboardSettingsRoutes(session, app);
      apiKeyRoutes(session, app);
      workspaceMemberRoutes(session, app);
      auditRoutes(session, app);
      draftRoutes(session, app);
      requestLogRoutes(session, app);
      connectRoutes(session, app);
      webhookSessionRoutes(session, app);
      attachmentSessionRoutes(session, app);
    },
    { prefix: '/api/v1' },
  );

  const byKeyOrSession = requireKeyOrSession(app, byKey, requireSession(app));
  // Routes for API keys and for sessions of the dashboard.
  await server.register(
    async (keyed: Server) => {
      describeAccess(keyed, keyOrSessionAccess);
      keyed.addHook('onRequest', byKeyOrSession);
      keyed.addHook('preParsing', limitCallers);
      postRoutes(keyed, app);
      importRoutes(keyed, app);
      changeManyRoutes(keyed, app);
      publishingRoutes(keyed, app);
      slotRoutes(keyed, app);
      mediaRoutes(keyed, app);
      attachmentRoutes(keyed, app);
      await thumbnailRoutes(keyed, app);
      connectionRoutes(keyed, app);
      avatarRoutes(keyed, app);
      linkedinRoutes(keyed, app);
      linkedinStatisticsRoutes(keyed, app);
      webhookRoutes(keyed, app);
      triggerRoutes(keyed, app);
      statisticsRoutes(keyed, app);
      workspaceRoutes(keyed, app);
      contextRoutes(keyed, app);
      await videoRoutes(keyed, app);
      streamRoutes(keyed, app, byKeyOrSession);
    },
    { prefix: '/api/v1' },
  );
  return server;
}
