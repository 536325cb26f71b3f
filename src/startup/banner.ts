import type { Ready } from './ready-file.ts';

/** The box printed when Crier is ready. */
export function banner({ url, baseUrl, sandboxUrl, demo }: Ready): string {
  const rows: [string, string][] = [
    ['Start page', url],
    ['API', baseUrl],
    ['Reference', `${url}/docs`],
  ];
  if (sandboxUrl) rows.push(['Sandbox', sandboxUrl]);
  if (demo) rows.push(['Demo login', `${demo.email}  ${demo.password}`], ['Demo API key', demo.apiKey]);
  const lines = [
    'Crier is ready. Press Ctrl-C to stop it.',
    '',
    ...rows.map(([name, value]) => `${name.padEnd(13)} ${value}`),
  ];
  const width = Math.max(...lines.map(({ length }) => length));
  const edge = '─'.repeat(width + 2);
  return [`┌${edge}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${edge}┘`].join('\n');
}

/** For a process that serves no requests. */
export const workerBanner = 'The worker is ready: it publishes posts and serves no pages. Press Ctrl-C to stop it.';
