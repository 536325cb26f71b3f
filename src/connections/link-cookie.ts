import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { flowMs, hashOfState, redirectUri } from './connect.ts';

/**
 * Ties a consent to the browser that started it from a connection link, as a session does for people who are signed in. Each
 * state has its own cookie, so that several links can be open in one browser.
 */
export function linkCookie(app: Pick<App, 'publicUrl'>, state: string, token: string): string {
  const { pathname, protocol } = new URL(redirectUri(app));
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${nameFor(state)}=${token}; Path=${pathname}; Max-Age=${flowMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

/** The token of the link from which this browser started the flow. Null: it started it from no link. */
export function linkTokenFor({ headers: { cookie = '' } }: FastifyRequest, state: string): string | null {
  const pairs = cookie.split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([name]) => name === nameFor(state))?.[1] ?? null;
}

const nameFor = (state: string) => `crier.link.${hashOfState(state).toString('hex').slice(0, 16)}`;
