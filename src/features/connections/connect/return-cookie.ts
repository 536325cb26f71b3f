import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hashSecret } from '../../../foundation/lib/secrets.ts';
import { type Connected, flowMs, redirectUri } from './connect.ts';
import { cookieText } from './link-cookie.ts';

/** The dashboard pages from which accounts are connected. */
export const returnPages = ['/channels', '/welcome'] as const;
export type ReturnPage = (typeof returnPages)[number];

/** Remembers in the browser which dashboard page it left for the consent page. */
export function returnCookie(app: Pick<App, 'publicUrl'>, state: string, page: ReturnPage): string {
  const { pathname, protocol } = new URL(redirectUri(app));
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${nameFor(state)}=${page.slice(1)}; Path=${pathname}; Max-Age=${flowMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

/** Null if the browser did not come from the dashboard. */
export function returnPageFor({ headers: { cookie = '' } }: FastifyRequest, state: string): ReturnPage | null {
  const pairs = cookie.split(/;\s*/).map((pair) => pair.split('='));
  const value = pairs.find(([name]) => name === nameFor(state))?.[1];
  return returnPages.find((page) => page.slice(1) === value) ?? null;
}

/**
 * Redirects to the dashboard page with the result. The reason for a failure goes into a cookie: in the URL, anyone
 * could make the page say anything.
 */
export async function returnToDashboard(
  { publicUrl }: Pick<App, 'publicUrl'>,
  reply: FastifyReply,
  page: ReturnPage,
  finish: () => Promise<Connected>,
) {
  const outcome = await finish().catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  if (outcome instanceof Problem) reply.header('set-cookie', problemCookie(publicUrl, String(outcome.body.error)));
  return reply.header('cache-control', 'no-store').redirect(`${page}?${outcomeQuery(outcome)}`, 303);
}

/** The query string of the page that shows the result. */
export function outcomeQuery(outcome: Connected | Problem): URLSearchParams {
  if (outcome instanceof Problem) return new URLSearchParams({ connect: 'failed' });
  if ('choice' in outcome) return new URLSearchParams({ choice: outcome.choice.id });
  return new URLSearchParams({ connected: outcome.connected.map(({ platformId }) => platformId).join(' ') });
}

/** The page reads the cookie and deletes it. */
function problemCookie(publicUrl: string, message: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `crier.connect-problem=${cookieText(message)}; Path=/; Max-Age=120; SameSite=Lax${secure}`;
}

const nameFor = (state: string) => `crier.return.${hashSecret(state).toString('hex').slice(0, 16)}`;
