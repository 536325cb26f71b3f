import type { FastifyReply } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { brand, htmlPage, secretPageHeaders } from '../../../foundation/http/answers/html-page.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import type { Connected } from './connect.ts';

/**
 * The page after the platform's consent page, whether or not the account was connected. It ends the flow, so it says
 * what to do next and links only to pages that exist.
 */
export async function callbackPage(
  { publicUrl }: Pick<App, 'publicUrl'>,
  reply: FastifyReply,
  finish: () => Promise<Connected>,
) {
  const outcome = await finish().catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  return reply
    .code(outcome instanceof Problem ? outcome.status : 200)
    .headers(secretPageHeaders("'self'"))
    .type('text/html; charset=utf-8')
    .send(page(outcome instanceof Problem ? refusal(outcome) : describe(outcome), publicUrl));
}

interface Content {
  title: string;
  /** Paragraphs of HTML. */
  text: string[];
}

const refusal = ({ key, body }: Problem): Content => ({
  title: 'Not connected',
  text: [
    key === 'session_required' ? signedOut : escapeHtml(String(body.error)),
    'To try again, start with <code>POST /api/v1/connect/{platform}</code>.',
  ],
});

const signedOut =
  'This browser isn’t signed in to Crier, so nothing was connected. Sign in here first, or open the consent page in the ' +
  'browser where you’re signed in.';

function describe(outcome: Connected): Content {
  if ('choice' in outcome) return choiceOf(outcome.choice);
  const names = outcome.connected.map(({ handle, platformId }) => escapeHtml(handle || platformId)).join(', ');
  const ids = outcome.connected.map(({ platformId }) => `<code>${escapeHtml(platformId)}</code>`).join(', ');
  return {
    title: 'Connected',
    text: [`Connected: ${names}.`, `To post there, add ${ids} to <code>platforms</code>.`],
  };
}

function choiceOf({ id, accounts }: Extract<Connected, { choice: unknown }>['choice']): Content {
  const items = accounts.map(
    ({ accountId, handle, displayName }) =>
      `<li>${escapeHtml(displayName || handle)} <code>${escapeHtml(accountId)}</code></li>`,
  );
  return {
    title: 'Choose accounts',
    text: [
      'You granted access to several accounts. None is connected yet.',
      `<ul>${items.join('')}</ul>`,
      `Send the IDs of the accounts you want as <code>accountIds</code> to <code>POST /api/v1/connect/choices/${id}</code>, within 15 minutes.`,
    ],
  };
}

const page = ({ title, text }: Content, publicUrl: string) =>
  htmlPage(
    title,
    `<main>
${brand}
<h1>${title}</h1>
${text.map((paragraph) => (paragraph.startsWith('<ul>') ? paragraph : `<p>${paragraph}</p>`)).join('\n')}
<p>You can close this page. <a href="${escapeHtml(publicUrl)}/docs#tag/connections">API reference</a></p>
</main>`,
  );
