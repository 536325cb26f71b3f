import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { holderOfLink, type LinkHolder } from '../accounts/connection-links.ts';
import type { App } from '../app.ts';
import { linkActor } from '../audit/actors.ts';
import type { Actor } from '../audit/audit-log.ts';
import { Problem } from '../errors.ts';
import type { Server } from '../http/fastify.ts';
import { readForms } from '../http/html-page.ts';
import { type Connected, type Consent, chooseAccounts, listConnectables, readChoice, startConnect } from './connect.ts';
import { linkCookie } from './link-cookie.ts';
import { type LinkView, linkGonePage, linkPage, pageHeaders } from './link-page.ts';
import { listConnections } from './list-connections.ts';
import { Choice, ChoicePath, ConnectForm } from './schema.ts';

const LinkPath = z.object({ token: z.string() });
const config = { failure: 'connect_failed' } as const;

/**
 * What a connection link opens, for a person without an account. Clients that accept JSON get data instead of a page. The
 * routes are not in the API reference, because only the page uses them.
 */
export async function linkRoutes(root: Server, app: App) {
  await root.register(async (server: Server) => {
    readForms(server, formBody);

    server.get('/connect/:token', { config, schema: { hide: true, params: LinkPath } }, (request, reply) =>
      answerHolder(app, request.params.token, request, reply, async () => null),
    );

    server.post(
      '/connect/:token/:platform',
      { config, schema: { hide: true, params: LinkPath.extend({ platform: z.string() }), body: ConnectForm } },
      (request, reply) => {
        const { token, platform } = request.params;
        return answerHolder(app, token, request, reply, async (holder) => {
          const started = await startConnect(app, holder, platform, request.body.fields);
          if ('state' in started) reply.header('set-cookie', linkCookie(app, started.state, token));
          return started;
        });
      },
    );

    server.get(
      '/connect/:token/choices/:choiceId',
      { config, schema: { hide: true, params: LinkPath.extend(ChoicePath.shape) } },
      async ({ params: { token, choiceId } }) =>
        readChoice(app, await requireHolder(app, token), choiceId.toLowerCase()),
    );

    server.post(
      '/connect/:token/choices/:choiceId',
      { config, schema: { hide: true, params: LinkPath.extend(ChoicePath.shape), body: Choice } },
      (request, reply) => {
        const { token, choiceId } = request.params;
        const { accountIds } = request.body;
        return answerHolder(app, token, request, reply, (holder) =>
          chooseAccounts(app, holder, choiceId.toLowerCase(), accountIds),
        );
      },
    );
  });
}

type Work = (holder: LinkHolder & { actor: Actor }) => Promise<Consent | Connected | null>;

async function answerHolder(app: App, token: string, request: FastifyRequest, reply: FastifyReply, work: Work) {
  if (!request.headers.accept?.includes('application/json')) return answerWithPage(app, token, reply, work);
  const holder = await requireHolder(app, token);
  const outcome = await work({ ...holder, actor: linkActor(request) });
  if (outcome === null) return viewFor(app, holder);
  return 'url' in outcome ? { url: outcome.url } : outcome;
}

/** Does the work for the holder of the link, then shows the page with what has happened, or leads to the consent page. */
export async function answerWithPage(app: App, token: string, reply: FastifyReply, work: Work) {
  reply.headers(pageHeaders).type('text/html; charset=utf-8');
  const holder = await holderOfLink(app, token);
  if (!holder) return reply.code(404).send(linkGonePage());
  const outcome = await work({ ...holder, actor: linkActor(reply.request) }).catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  if (outcome !== null && 'url' in outcome) return reply.redirect(outcome.url, 303);
  const status = outcome instanceof Problem ? outcome.status : 200;
  return reply.code(status).send(linkPage(token, await viewFor(app, holder), outcome));
}

async function requireHolder(app: App, token: string): Promise<LinkHolder> {
  const holder = await holderOfLink(app, token);
  if (!holder) throw new Problem('connection_link_invalid');
  return holder;
}

async function viewFor(app: App, { userId, displayName, expiresAt }: LinkHolder): Promise<LinkView> {
  const { connections } = await listConnections(app, { userId });
  return { displayName, expiresAt: expiresAt.toISOString(), connections, platforms: listConnectables(app) };
}

/** The fields of a form in the shape of the JSON bodies. */
const formBody = (form: URLSearchParams) => ({
  fields: Object.fromEntries(form),
  accountIds: form.getAll('accountIds'),
});
