import { createHash } from 'node:crypto';
import { Problem } from '../../errors/index.ts';
import type { Server } from '../server.ts';

/**
 * For pages whose URL holds a secret: browsers neither store the page nor pass its URL to other sites, and no site can
 * frame it. `formAction` says where the page's forms may lead.
 */
export const secretPageHeaders = (formAction: "'self'" | '*') => ({
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'content-security-policy': `default-src 'none'; style-src ${styleSource}; font-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
});

/** The dashboard's logo (dashboard/src/icon.svg). */
export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" width="26" height="26" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f3285"/><g transform="rotate(24 16 16)" stroke-linecap="round"><path d="M16 4.6v5" stroke="#fff" stroke-width="3.4"/><circle cx="16" cy="25.2" r="2.6" fill="#fff"/><path d="M16 9c4.3 0 5.2 3 5.6 6.5.3 2.8 1 4.6 2.9 6.4h-17c1.9-1.8 2.6-3.6 2.9-6.4C10.8 12 11.7 9 16 9z" fill="#ffc94d"/><path d="M7.4 22.3h17.2" stroke="#ffc94d" stroke-width="2.6"/></g><path d="M4.8 12.5a9 9 0 0 1 3.800-5.200" fill="none" stroke="#8fa8ff" stroke-width="2" stroke-linecap="round"/></svg>';

/** The top of every page: the logo and the name. */
export const brand = `<p class="brand">${mark} Crier</p>`;

/** The dashboard's typeface. Other scripts, and a service without a dashboard, use the system font. */
export const fontFaces = [
  [
    'latin-ext',
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0',
  ],
  ['latin', 'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2212'],
].map(
  ([name, range]) =>
    `@font-face { font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap; src: url(/fonts/inter-${name}.woff2) format('woff2'); unicode-range: ${range} }`,
);

const style = `
  ${fontFaces.join('\n  ')}
  :root {
    color-scheme: light dark; font: 1rem/1.55 'Inter Variable', system-ui, sans-serif;
    --accent: light-dark(#4267df, #7a9df9); --line: light-dark(#dadee7, #3b4357); --dim: light-dark(#575d6e, #bdc2d0);
    --page: light-dark(#f9fafd, #151a2a); --card: light-dark(#fff, #1f2537); --field: light-dark(#6e7483, #7f889d);
    background: var(--page); color: light-dark(#1d2334, #eef0f6);
  }
  body { max-width: 36rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 3rem) 1rem 3rem; overflow-wrap: anywhere }
  h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; font-weight: 650 }
  h2 { margin: 2rem 0 .75rem; font-size: 1.1rem; font-weight: 650 }
  p { margin: 0 0 1rem }
  a { color: var(--accent) }
  small { display: block; margin-top: .25rem; color: var(--dim) }
  ul { margin: 0; padding: 0; list-style: none }
  form > p:last-child { margin-bottom: 0 }
  ul > li, fieldset, details { margin: 0 0 .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card) }
  ul > li { padding: .75rem 1rem }
  ol { margin: 0 0 1rem; padding-left: 1.4rem }
  ol > li { margin-bottom: .35rem }
  .row { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: 0 0 .75rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); font-weight: 650 }
  legend { float: left; width: 100%; margin-bottom: .75rem; padding: 0; font-weight: 650 }
  legend + * { clear: both }
  summary { display: flex; align-items: center; justify-content: space-between; min-height: 2.75rem; margin: -1rem; padding: .75rem 1.1rem .75rem 1rem; border-radius: .75rem; cursor: pointer; font-weight: 650; list-style: none }
  summary::-webkit-details-marker { display: none }
  summary::after { content: ''; width: .5rem; height: .5rem; border: solid; border-width: 0 2px 2px 0; rotate: 45deg }
  details[open] > summary { margin-bottom: 0 }
  details[open] > summary::after { rotate: -135deg }
  label { display: block; margin-bottom: .25rem; font-weight: 500 }
  label small { margin-top: 0; font-weight: 400 }
  label:has([type=checkbox]) { display: flex; gap: .6rem; align-items: center; min-height: 2.75rem }
  .scopes label:has([type=checkbox]) { align-items: start; padding: .4rem 0 }
  .scopes span::first-letter, .scopes small::first-letter { text-transform: uppercase }
  input { accent-color: var(--accent) }
  input[type=checkbox] { flex: none; width: 1.25rem; height: 1.25rem }
  input:not([type=checkbox]) { width: 100%; box-sizing: border-box; min-height: 2.75rem; padding: .4rem .75rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--page); color: inherit; font: inherit }
  button, .button { display: inline-flex; align-items: center; box-sizing: border-box; text-decoration: none; min-height: 2.75rem; padding: .4rem 1.1rem; border: 0; border-radius: .5rem; background: #4267df; color: #fff; font: inherit; font-weight: 600; cursor: pointer }
  button:hover, .button:hover { background: #3051c1 }
  button.quiet { border: 1px solid var(--field); background: transparent; color: inherit }
  button.quiet:hover { background: var(--page) }
  .form { max-width: 26rem; margin: 4vh auto 0; padding: clamp(1.25rem, 5vw, 2rem); border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
  .next { margin: 1.5rem 0 0 }
  .buttons { display: flex; flex-wrap: wrap; gap: .75rem }
  code { padding: .1rem .3rem; border-radius: .3rem; background: var(--card); font-size: .9em }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  .brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.5rem; font-size: 1.1rem; font-weight: 700 }
  .good, .bad { padding: .75rem 1rem; border-radius: .5rem; border-left: .3rem solid #2f9e44; background: var(--card) }
  .bad { border-color: #e03131 }
`;

/** The only styles that a browser applies to the page, whatever text it contains. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** A page with forms that works without scripts, on a phone, and in dark mode. `content` is HTML. */
export const htmlPage = (title: string, content: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Crier</title>
<style>${style}</style>
${content}
</html>
`;

/** Parsing a megabyte of the shortest fields would delay other requests. */
const maxFormLength = 65_536;

/** Lets the routes of this scope accept form submissions, in the shape that `toBody` returns. */
export function readForms(scope: Server, toBody: (form: URLSearchParams) => Record<string, unknown>) {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, text: string | Buffer) => {
      if (text.length > maxFormLength) throw new Problem('body_too_large', { error: 'The form is larger than 64 kB' });
      return toBody(new URLSearchParams(String(text)));
    },
  );
}
