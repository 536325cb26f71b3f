import { adminCommandLine } from '../../foundation/system/admin-command-line.ts';
import { escapeHtml } from '../../foundation/text/escape-html.ts';

type Link = [href: string, name: string, description: string];

/** The front page: the first call, and links to everything a newcomer needs. */
export function landingPage(publicUrl: string, sandboxUrl: string | null): string {
  const sandbox: Link[] = sandboxUrl
    ? [[sandboxUrl, 'Sandbox', 'simulated networks on this machine that receive your posts']]
    : [];
  const links: Link[] = [
    ['/docs', 'API reference', 'every operation, field, response and code, to read and try out'],
    ['/api/v1/openapi.json', 'OpenAPI document', 'the same for machines'],
    ['/llms.txt', 'llms.txt', 'what an agent needs to get started'],
    ['/llms-full.txt', 'llms-full.txt', 'the reference and all guides as one text'],
    ...sandbox,
    ['/healthz', 'Health', 'whether the process runs'],
    ['/readyz', 'Readiness', 'whether this process can do its work; also shows workers, backlog and file storage'],
    ['/metrics', 'Metrics', 'for Prometheus'],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crier</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 17px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1.25rem; }
  h1 { font-size: 2.25rem; margin: 0; }
  h2 { font-size: 1.25rem; margin: 2rem 0 0; }
  pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid; border-radius: 0.5rem; font-size: 0.85rem; }
  dt { margin-top: 1rem; font-weight: 600; }
  dd { margin: 0; opacity: 0.8; }
  a:focus-visible { outline: 3px solid; outline-offset: 3px; }
</style>
</head>
<body>
<main>
<h1>Crier</h1>
<p>One call publishes a post on all your networks, now or at the time you choose, exactly once.</p>
<h2>The first call</h2>
<p>${whereKeysAre(sandboxUrl)}</p>
<pre><code>${escapeHtml(firstCall(publicUrl))}</code></pre>
<p><code>service-playground</code> checks the post and stores nothing. To publish, use the id of one of your connections instead: <code>GET /api/v1/platform-connections</code> lists them.</p>
<h2>Everything else</h2>
<dl>
${links.map(([href, name, description]) => `<dt><a href="${href}">${name}</a></dt><dd>${description}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>
`;
}

const whereKeysAre = (sandboxUrl: string | null) =>
  sandboxUrl
    ? 'The demo API key is in the box printed by <code>npm start</code>, and in <code>ready.json</code> in the data folder.'
    : `The operator creates API keys: <code>${adminCommandLine('create-key --help')}</code>.`;

const firstCall = (publicUrl: string) => `curl -s ${publicUrl}/api/v1/create-post \\
  -H 'x-service-key: <API key>' -H 'content-type: application/json' \\
  -d '{ "content": "Hello, world", "platforms": ["service-playground"], "publishNow": true }'`;
