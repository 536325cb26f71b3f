/** The front page until there is a dashboard. It links to everything that a new user needs. */
export function landingPage(sandboxUrl: string | null): string {
  const links: [string, string, string][] = [
    ['/docs', 'API reference', 'every route, field, answer and error code, to read and to try out'],
    ['/api/v1/openapi.json', 'OpenAPI document', 'the reference for programs'],
    ['/llms.txt', 'llms.txt', 'the reference for AI agents'],
    ...(sandboxUrl
      ? [
          [sandboxUrl, 'Sandbox', 'simulated networks on this machine, which show your posts'] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ['/healthz', 'Health', 'the process is running'],
    ['/readyz', 'Readiness', 'database, migrations, dispatcher, overdue posts'],
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
${links.map(([href, name, about]) => `<dt><a href="${href}">${name}</a></dt><dd>${about}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>
`;
}
