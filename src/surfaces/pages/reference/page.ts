import type { ApiReferenceConfiguration } from '@scalar/fastify-api-reference';
import { type DocumentName, documentNames, documentPath } from '../../../foundation/http/openapi/parts.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import { scalarPath } from './scalar.ts';

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

const style = `
  :root { --scalar-custom-header-height: 3rem }
  body { margin: 0 }
  .light-mode { --scalar-color-accent: #4263eb }
  .dark-mode { --scalar-color-accent: #91a7ff }
  body > header {
    position: sticky; top: 0; z-index: 100; box-sizing: border-box; height: 3rem; padding: 0 1.5rem;
    display: flex; align-items: center; gap: 1.5rem; font: 500 .9rem system-ui, sans-serif;
    background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color);
  }
  body > header a { color: var(--scalar-color-2); text-decoration: none }
  body > header a:hover, body > header [aria-current] { color: var(--scalar-color-1) }
  section[tabindex='-1']:focus-visible { outline: none }
  body > header [aria-current] { text-decoration: underline; text-underline-offset: .4em }
`;

/** The page of one document. Its header links to the other one. */
export function referencePage(name: DocumentName): string {
  const links = documentNames.map((each) => {
    const current = each === name ? ' aria-current="page"' : '';
    return `<a href="${pagePaths[each]}"${current}>${titles[each]}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crier API reference</title>
<link rel="icon" href="data:,">
<link rel="preload" href="${documentPath(name)}" as="fetch" crossorigin>
<style>${style}</style>
</head>
<body>
<header><a href="/"><strong>Crier</strong></a> ${links.join(' ')}</header>
<noscript><p>The reference needs JavaScript. <a href="/llms-full.txt">llms-full.txt</a> has everything as text, and <a href="${documentPath(name)}">${documentPath(name)}</a> as OpenAPI.</p></noscript>
<script id="api-reference" type="application/json" data-configuration="${escapeHtml(JSON.stringify(configurationOf(name)))}"></script>
<script src="${scalarPath}"></script>
</body>
</html>
`;
}
