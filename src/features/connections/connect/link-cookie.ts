import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { cookieName, cookieOf, isSecure } from '../../../foundation/http/cookies.ts';
import { hashSecret } from '../../../foundation/lib/secrets.ts';
import { shorten } from '../../../foundation/text/shorten.ts';
import { flowMs, redirectUri } from './connect.ts';

/**
 * Ties a consent to the browser that started it from a connection link, as a session does for signed-in users. Each
 * state has its own cookie, so that several links can be open in one browser.
 */
export function linkCookie(app: Pick<App, 'publicUrl'>, state: string, token: string): string {
  const { pathname } = new URL(redirectUri(app));
  const name = cookieName(app, nameFor(state));
  return `${name}=${token}; Path=${pathname}; Max-Age=${flowMs / 1000}; HttpOnly; SameSite=Lax${isSecure(app) ? '; Secure' : ''}`;
}

/** The token of the link from which this browser started the flow. Null if it did not start from a link. */
export const linkTokenFor = (
  app: Pick<App, 'publicUrl'>,
  request: Pick<FastifyRequest, 'headers'>,
  state: string,
): string | null => cookieOf(app, request, nameFor(state));

/** Why nothing was connected, for the page of the link. In the URL, anyone could make the page say anything. */
export function problemCookie({ publicUrl }: Pick<App, 'publicUrl'>, message: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${problemName}=${cookieText(message)}; Path=/connect/; Max-Age=120; HttpOnly; SameSite=Lax${secure}`;
}

/** A lone surrogate, left by truncation or sent by a network, cannot be encoded. */
export const cookieText = (message: string) => encodeURIComponent(shorten(message, 500).toWellFormed());

/** Reads the problem and deletes the cookie, so that it is shown once. */
export function takeProblem({ headers: { cookie = '' } }: FastifyRequest, reply: FastifyReply): { problem: string } {
  reply.header('set-cookie', `${problemName}=; Path=/connect/; Max-Age=0; HttpOnly; SameSite=Lax`);
  const [, text] = /(?:^|;\s*)crier\.link-problem=([^;]+)/.exec(cookie) ?? [];
  return { problem: (text && decoded(text)) || 'Nothing was connected. Try again.' };
}

const problemName = 'crier.link-problem';

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const nameFor = (state: string) => `link.${hashSecret(state).toString('hex').slice(0, 16)}`;
