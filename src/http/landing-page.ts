type Link = [href: string, name: string, description: string];

/** The front page until there is a dashboard: links to everything that a newcomer wants to see. */
export function landingPage(sandboxUrl: string | null): string {
  const sandbox: Link[] = sandboxUrl
    ? [[sandboxUrl, 'Sandbox', 'simulated networks on this machine, where your posts arrive']]
    : [];
  const links: Link[] = [
    ['/docs', 'API reference', 'every operation, field, response and code, to read and to try'],
    ['/api/v1/openapi.json', 'OpenAPI document', 'the same for machines'],
    ['/llms.txt', 'llms.txt', 'the same for agents'],
    ...sandbox,
    ['/healthz', 'Health', 'whether the process runs'],
    ['/readyz', 'Readiness', 'database, migrations, dispatcher, oldest overdue post, file storage'],
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
  dt { margin-top: 1rem; font-weight: 600; }
  dd { margin: 0; opacity: 0.8; }
  a:focus-visible { outline: 3px solid; outline-offset: 3px; }
</style>
</head>
<body>
<main>
<h1>Crier</h1>
<p>One call publishes a post on all your networks, now or at the time you choose, exactly once.</p>
<dl>
${links.map(([href, name, description]) => `<dt><a href="${href}">${name}</a></dt><dd>${description}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>
`;
}
