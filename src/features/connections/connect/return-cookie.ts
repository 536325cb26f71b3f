import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { hashSecret } from '../../../foundation/lib/secrets.ts';
import { type Connected, flowMs, redirectUri } from './connect.ts';
import { cookieText } from './link-cookie.ts';

/** The dashboard pages from which accounts are connected. */
export const returnPages = ['/channels', '/welcome'] as const;
export type ReturnPage = (typeof returnPages)[number];

/** A page, with the managed user that it showed, if any. */
export interface ReturnPlace {
  page: ReturnPage;
  brand: string | null;
}

/** Remembers in the browser which dashboard page it left for the consent page. */
export function returnCookie(app: Pick<App, 'publicUrl'>, state: string, { page, brand }: ReturnPlace): string {
  const { pathname, protocol } = new URL(redirectUri(app));
  const secure = protocol === 'https:' ? '; Secure' : '';
  const value = brand === null ? page.slice(1) : `${page.slice(1)}.${brand}`;
  return `${nameFor(state)}=${value}; Path=${pathname}; Max-Age=${flowMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

/** Null if the browser did not come from the dashboard. */
export function returnPlaceFor({ headers: { cookie = '' } }: FastifyRequest, state: string): ReturnPlace | null {
  const pairs = cookie.split(/;\s*/).map((pair) => pair.split('='));
  const [named, brand = ''] = pairs.find(([name]) => name === nameFor(state))?.[1]?.split('.') ?? [];
  const page = returnPages.find((known) => known.slice(1) === named);
  return page ? { page, brand: isId(brand) ? brand : null } : null;
}

/**
 * Redirects to the dashboard page with the result. The reason for a failure goes into a cookie: in the URL, anyone
 * could make the page say anything.
 */
export async function returnToDashboard(
  { publicUrl }: Pick<App, 'publicUrl'>,
  reply: FastifyReply,
  { page, brand }: ReturnPlace,
  finish: () => Promise<Connected>,
) {
  const outcome = await finish().catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  if (outcome instanceof Problem) reply.header('set-cookie', problemCookie(publicUrl, String(outcome.body.error)));
  return reply.header('cache-control', 'no-store').redirect(`${page}?${placeQuery(outcome, brand)}`, 303);
}

function placeQuery(outcome: Connected | Problem, brand: string | null): URLSearchParams {
  const query = outcomeQuery(outcome);
  if (brand !== null) query.set('brand', brand);
  return query;
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
