import type { Server } from './fastify.ts';

/**
 * For pages whose address holds a secret: it is neither stored nor told to other sites, and no site can show the page inside its
 * own. `formAction` says where the forms of the page may lead.
 */
export const secretPageHeaders = (formAction: "'self'" | '*') => ({
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
});

/** A page with forms that works without scripts, on a phone, and in the dark. `content` is HTML. */
export const htmlPage = (title: string, content: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Crier</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui }
  body { max-width: 38rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
  fieldset { margin: 0 0 1rem; border: 1px solid #8886; border-radius: .5rem }
  label { display: block; font-weight: 600 }
  input:not([type=checkbox]) { width: 100%; box-sizing: border-box; padding: .4rem; font: inherit }
  button { padding: .4rem 1rem; font: inherit }
  .good, .bad { padding: .6rem 1rem; border-left: .3rem solid #2a7 }
  .bad { border-color: #c33 }
</style>
${content}
</html>
`;

/** Lets the routes of this scope take what a form of a page sends, in the shape that `toBody` gives it. */
export function readForms(scope: Server, toBody: (form: URLSearchParams) => Record<string, unknown>) {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, text: string | Buffer) => toBody(new URLSearchParams(String(text))),
  );
}
