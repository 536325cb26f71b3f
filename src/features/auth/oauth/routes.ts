import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, preParsingAsyncHookHandler } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { readForms } from '../../../foundation/http/answers/html-page.ts';
import type { Scope } from '../../../foundation/http/scopes.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { type CurrentSession, requireOwnOrigin, requireSession } from '../access/session.ts';
import { decide, type Query, readRequest, sealConsent } from './authorize.ts';
import { registerClient } from './clients.ts';
import { resourceMetadata, resourcePaths, serverMetadata } from './metadata.ts';
import { codePage, consentPage, pageHeaders, refusalPage, scopeField, signInPage } from './pages.ts';
import { signInByForm } from './sign-in.ts';
import { issueTokens } from './tokens.ts';

const schema = { hide: true };

/**
 * OAuth 2.1 for MCP clients: an application registers itself, a user signs in and approves it, and it gets an API key
 * of the account. With `MCP_AUTH=key`, OAuth is disabled.
 */
export async function oauthRoutes(root: Server, app: App, limitCallers: preParsingAsyncHookHandler) {
  await root.register(async (server: Server) => {
    server.addHook('preParsing', limitCallers);
    readForms(server, (form) => Object.fromEntries(form));
    if (app.config.mcpAuth === 'key') refuseOAuth(server);
    else {
      metadataRoutes(server, app);
      tokenRoutes(server, app);
      authorizeRoutes(server, app, root);
    }
  });
}

function refuseOAuth(server: Server) {
  const refuse = async () => {
    throw new Problem('oauth_not_supported');
  };
  const documents = ['oauth-authorization-server', ...resourcePaths.map((path) => `oauth-protected-resource${path}`)];
  for (const name of documents) server.get(`/.well-known/${name}`, { schema }, refuse);
  for (const url of ['/register', '/authorize', '/token']) server.all(url, { schema }, refuse);
}

/** The documents contain no secrets, and browsers of any site may read them. */
function metadataRoutes(server: Server, app: App) {
  const open: onRequestAsyncHookHandler = async (_, reply) => {
    reply.header('access-control-allow-origin', '*');
  };
  for (const path of resourcePaths) {
    server.get(`/.well-known/oauth-protected-resource${path}`, { schema, onRequest: open }, async () =>
      resourceMetadata(app, path),
    );
  }
  server.get('/.well-known/oauth-authorization-server', { schema, onRequest: open }, async () => serverMetadata(app));
}

function tokenRoutes(server: Server, app: App) {
  server.post('/register', { schema, config: { rate: 'oauthRegistration' } }, async ({ body }, reply) =>
    reply.code(201).send(await registerClient(app, body)),
  );
  server.post('/token', { schema }, (request) => issueTokens(app, textsIn(request.body), request));
}

function authorizeRoutes(server: Server, app: App, root: Server) {
  const findSession = requireSession(app);

  /** Null if no one is signed in. */
  async function sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<CurrentSession | null> {
    try {
      await findSession.call(server, request, reply);
      return request.session;
    } catch (error) {
      if (error instanceof Problem && error.key === 'session_required') return null;
      throw error;
    }
  }

  server.get('/authorize', { schema }, (request, reply) =>
    asPage(reply, async () => {
      const asked = await readRequest(app, textsIn(request.query));
      const session = await sessionOf(request, reply);
      if (!session) return signInPage({ action: request.url, clientName: asked.client.name });
      const consent = sealConsent(app, session, asked);
      return consentPage({ request: asked, email: session.email, consent });
    }),
  );

  server.post('/authorize', { schema, onRequest: requireOwnOrigin(app) }, (request, reply) =>
    asPage(reply, async () => {
      const { consent, decision, ...form } = textsIn(request.body);
      if (consent === undefined) return signIn(request, reply, form);
      const session = await sessionOf(request, reply);
      if (!session) throw new Problem('authorize_consent_invalid');
      const isChosen = (scope: Scope) => Object.hasOwn(form, scopeField(scope));
      const decided = { consent, isApproved: decision === 'approve', isChosen };
      return redirect(reply, await decide(app, { session, request }, decided));
    }),
  );

  async function signIn(request: FastifyRequest, reply: FastifyReply, form: Query) {
    const asked = await readRequest(app, textsIn(request.query));
    const outcome = await signInByForm(root, request, reply, form);
    if (outcome.signedIn) return redirect(reply, request.url);
    const { twoFactorToken, error, status } = outcome;
    const action = request.url;
    reply.code(status);
    if (twoFactorToken !== null) return codePage({ action, twoFactorToken, error });
    return signInPage({ action, clientName: asked.client.name, email: form.email ?? '', error });
  }
}

const redirect = (reply: FastifyReply, url: string) => reply.redirect(url, 303);

/** Users get an HTML page, even for errors. */
async function asPage(reply: FastifyReply, make: () => Promise<string | FastifyReply>) {
  reply.headers(pageHeaders);
  const made = await make().catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    reply.code(error.status);
    return refusalPage(String(error.body.error));
  });
  return typeof made === 'string' ? reply.type('text/html; charset=utf-8').send(made) : made;
}

/** The fields of a form or a query that occur exactly once. */
function textsIn(fields: unknown): Record<string, string> {
  // The entries of a string would be its characters.
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return {};
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}
