import type { FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { readForms } from '../../../foundation/http/answers/html-page.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { holderOfLink, type LinkHolder } from '../../accounts/workspace/connection-links.ts';
import { linkActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { listConnections } from '../list-connections.ts';
import { Choice, ChoicePath, ConnectForm } from '../schema.ts';
import { type Connected, type Consent, chooseAccounts, listConnectables, readChoice, startConnect } from './connect.ts';
import { linkCookie, problemCookie, takeProblem } from './link-cookie.ts';
import { type FilledForm, type LinkOutcome, type LinkView, linkGonePage, linkPage, pageHeaders } from './link-page.ts';
import { nameMark } from './local-names.ts';
import { outcomeQuery } from './return-cookie.ts';

const LinkPath = z.object({ token: z.string() });
/** The result of the last action, as written by `outcomeQuery`. */
const LinkQuery = z.object({
  connected: z.string().max(2000).optional().catch(undefined),
  choice: ChoicePath.shape.choiceId.optional().catch(undefined),
  connect: z.literal('failed').optional().catch(undefined),
});
type LinkQuery = z.infer<typeof LinkQuery>;
const config = { failure: 'connect_failed' } as const;

/**
 * The pages behind a connection link, for people without an account. Clients that accept JSON get data instead of a
 * page. The routes are not in the API reference, because only the page uses them.
 */
export async function linkRoutes(root: Server, app: App, limitCallers: preParsingAsyncHookHandler) {
  await root.register(async (server: Server) => {
    server.addHook('preParsing', limitCallers);
    readForms(server, formBody);

    server.get(
      '/connect/:token',
      { config, schema: { hide: true, params: LinkPath, querystring: LinkQuery } },
      async (request, reply) => {
        const { token } = request.params;
        if (acceptsJson(request)) return viewFor(app, await requireHolder(app, token));
        return showPage(app, token, reply, async (holder) =>
          request.query.connect ? takeProblem(request, reply) : outcomeOf(app, holder, request.query),
        );
      },
    );

    server.post(
      '/connect/:token/:platform',
      { config, schema: { hide: true, params: LinkPath.extend({ platform: z.string() }), body: ConnectForm } },
      (request, reply) => {
        const { token, platform } = request.params;
        const { fields: values } = request.body;
        const work: Work = async (holder) => {
          const countStart = () => request.countRate('connectStart', holder.ownerId);
          const start = { mark: nameMark(app, request), countStart };
          const started = await startConnect(app, holder, platform, values, start);
          if ('state' in started) reply.header('set-cookie', linkCookie(app, started.state, token));
          return started;
        };
        return answerHolder(app, token, { request, form: { platform, values } }, reply, work);
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
        return answerHolder(app, token, { request }, reply, (holder) =>
          chooseAccounts(app, holder, choiceId.toLowerCase(), accountIds),
        );
      },
    );
  });
}

/**
 * Ends a consent that began on the page of a link. Redirects to that page, which shows the result, so that reloading
 * it repeats nothing.
 */
export async function returnToLink(app: App, token: string, reply: FastifyReply, work: Work) {
  const holder = await holderOfLink(app, token);
  if (!holder) return showPage(app, token, reply, async () => null);
  const outcome = await orProblem(work({ ...holder, actor: linkActor(reply.request) }));
  if (outcome instanceof Problem) reply.header('set-cookie', problemCookie(app, String(outcome.body.error)));
  return reply.headers(pageHeaders).redirect(addressAfter(token, outcome), 303);
}

type Work = (holder: LinkHolder & { actor: Actor }) => Promise<Consent | Connected>;

interface Sent {
  request: FastifyRequest;
  /** The user's input in the form of a network. */
  form?: FilledForm;
}

async function answerHolder(app: App, token: string, { request, form }: Sent, reply: FastifyReply, work: Work) {
  if (!acceptsJson(request)) return answerWithPage(app, token, form, reply, work);
  const outcome = await work({ ...(await requireHolder(app, token)), actor: linkActor(request) });
  return 'url' in outcome ? { url: outcome.url } : outcome;
}

/** Runs the action of a form, then redirects, or shows the page with the error. */
async function answerWithPage(app: App, token: string, form: FilledForm | undefined, reply: FastifyReply, work: Work) {
  const holder = await holderOfLink(app, token);
  if (!holder) return showPage(app, token, reply, async () => null);
  const outcome = await orProblem(work({ ...holder, actor: linkActor(reply.request) }));
  if (!(outcome instanceof Problem)) return reply.headers(pageHeaders).redirect(addressAfter(token, outcome), 303);
  reply.code(outcome.status);
  return showPage(app, token, reply, async () => ({ problem: messageOf(outcome), ...(form && { form }) }));
}

/** The text for people, who do not see `Retry-After`. */
function messageOf({ status, body }: Problem): string {
  if (status !== 429 || typeof body.retryAfterSec !== 'number') return String(body.error);
  const minutes = Math.ceil(body.retryAfterSec / 60);
  return `Too many attempts to connect an account. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}

const addressAfter = (token: string, outcome: Consent | Connected | Problem) =>
  'url' in outcome ? outcome.url : `/connect/${token}?${outcomeQuery(outcome)}`;

async function showPage(
  app: App,
  token: string,
  reply: FastifyReply,
  happened: (holder: LinkHolder) => Promise<LinkOutcome | null>,
) {
  reply.headers(pageHeaders).type('text/html; charset=utf-8');
  const holder = await holderOfLink(app, token);
  if (!holder) return reply.code(404).send(linkGonePage());
  return reply.send(linkPage(token, await viewFor(app, holder), await happened(holder)));
}

/** The result given in the URL, after checking that it is true. */
async function outcomeOf(app: App, holder: LinkHolder, { connected, choice }: LinkQuery): Promise<LinkOutcome | null> {
  if (choice) {
    const found = await orProblem(readChoice(app, holder, choice.toLowerCase()));
    return found instanceof Problem ? null : { choice: { id: choice.toLowerCase(), ...found } };
  }
  const ids = connected?.split(' ') ?? [];
  const { connections } = await viewFor(app, holder);
  const names = connections
    .filter(({ platformId }) => ids.includes(platformId))
    .map(({ username, platformId }) => username || platformId);
  return names.length > 0 ? { connected: names } : null;
}

const acceptsJson = ({ headers }: FastifyRequest) => headers.accept?.includes('application/json') ?? false;

async function orProblem<T>(work: Promise<T>): Promise<T | Problem> {
  return work.catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
}

async function requireHolder(app: App, token: string): Promise<LinkHolder> {
  const holder = await holderOfLink(app, token);
  if (!holder) throw new Problem('connection_link_invalid');
  return holder;
}

async function viewFor(
  app: App,
  { userId, ownerId, ownerName, displayName, expiresAt }: LinkHolder,
): Promise<LinkView> {
  const { connections } = await listConnections(app, { userId, ownerId });
  return { ownerName, displayName, expiresAt: expiresAt.toISOString(), connections, platforms: listConnectables(app) };
}

/** The fields of a form in the format of the JSON bodies. */
const formBody = (form: URLSearchParams) => ({
  fields: Object.fromEntries(form),
  accountIds: form.getAll('accountIds'),
});
