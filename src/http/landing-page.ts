/** Until the dashboard is there: a front page that leads to everything a newcomer wants to see. */
export function landingPage(sandboxUrl: string | null): string {
  const links: [string, string, string][] = [
    ['/docs', 'API reference', 'every route, field, answer and code, to read and to try'],
    ['/api/v1/openapi.json', 'OpenAPI document', 'the same for machines'],
    ['/llms.txt', 'llms.txt', 'the same for agents'],
    ...(sandboxUrl
      ? [
          [sandboxUrl, 'Sandbox', 'the networks played on this machine: see your posts arrive'] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ['/healthz', 'Health', 'the process lives'],
    ['/readyz', 'Readiness', 'database, migrations, dispatcher, oldest overdue post'],
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
<p>One call sends a post to your networks: now, or at the time you ask for, once and only once.</p>
<dl>
${links.map(([href, name, about]) => `<dt><a href="${href}">${name}</a></dt><dd>${about}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>
`;
}
