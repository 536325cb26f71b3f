import type { ApiReferenceConfiguration } from '@scalar/fastify-api-reference';
import { mark } from '../../../foundation/http/answers/html-page.ts';
import { type DocumentName, documentNames, documentPath } from '../../../foundation/http/openapi/parts.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import { scalarPath } from './scalar.ts';
import { referenceStyle } from './style.ts';

export const tryItPath = '/docs/try-it.js';
export const pagePaths = { api: '/docs', dashboard: '/docs/dashboard' } as const satisfies Record<DocumentName, string>;
const titles = { api: 'API', dashboard: 'Dashboard' } as const satisfies Record<DocumentName, string>;

/** Nothing is loaded from other hosts. Scalar writes its styles into the page, and its icons are data URLs. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const configurationOf = (name: DocumentName): Partial<ApiReferenceConfiguration> => ({
  url: documentPath(name),
  authentication: { preferredSecurityScheme: name === 'api' ? 'apiKey' : 'accessToken' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'direct',
  // Turn off everything that would call Scalar's own services, which the policy forbids.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
});

/** The page of one document. Its header links to the other one. */
export function referencePage(name: DocumentName, mode: 'sandbox' | 'live'): string {
  const links = documentNames.map((each) => {
    const current = each === name ? ' aria-current="page"' : '';
    return `<a href="${pagePaths[each]}"${current}>${titles[each]}</a>`;
  });
  // The operations of the other page accept no key.
  const useKey =
    name === 'api' ? '<button type="button" data-use-key>Use a key<span> of my account</span></button>' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crier API reference</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark)}">
<link rel="preload" href="${documentPath(name)}" as="fetch" crossorigin>
<style>${referenceStyle}</style>
</head>
<body>
<header><a href="/">${mark} <span>Crier</span></a> ${links.join(' ')} <span role="status"></span>${useKey}</header>
<noscript><p>The reference needs JavaScript. <a href="/llms-full.txt">llms-full.txt</a> has everything as text, and <a href="${documentPath(name)}">${documentPath(name)}</a> as OpenAPI.</p></noscript>
<div id="reference" data-mode="${mode}" data-configuration="${escapeHtml(JSON.stringify(configurationOf(name)))}"></div>
<dialog aria-labelledby="question"><h2 id="question"></h2><p></p><form method="dialog"><button value="">Cancel</button><button value="yes"></button></form></dialog>
<script src="${scalarPath}"></script>
<script src="${tryItPath}"></script>
</body>
</html>
`;
}
