import type { FastifyReply } from 'fastify';
import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import { escapeHtml } from '../lib/escape-html.ts';
import type { Connected } from './connect.ts';

/**
 * The page that a person sees when their browser returns from the platform's consent page, whether or not the account was
 * connected. Its link leads to the dashboard, with the outcome in the query.
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
  const query = new URLSearchParams(
    outcome instanceof Problem
      ? { error: String(outcome.body.error) }
      : 'choice' in outcome
        ? { choice: outcome.choice.id }
        : { connected: outcome.connected.map(({ platformId }) => platformId).join(',') },
  );
  const text = outcome instanceof Problem ? String(outcome.body.error) : describe(outcome);
  return reply
    .code(outcome instanceof Problem ? outcome.status : 200)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page(text, `${publicUrl}/channels?${query}`));
}

function describe(outcome: Connected): string {
  if ('choice' in outcome) return 'You can connect several accounts. Choose which ones.';
  return `Connected: ${outcome.connected.map(({ handle, platformId }) => handle || platformId).join(', ')}.`;
}

const page = (text: string, next: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Crier</title>
<style>body { font: 1.1rem system-ui; max-width: 34rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark }</style>
<h1>Crier</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(next)}">Continue to your channels</a></p>
</html>
`;
