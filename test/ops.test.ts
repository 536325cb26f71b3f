import { readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { sendHeartbeat } from '../src/features/publishing/lanes/heartbeat-queries.ts';
import type { neededBy } from '../src/surfaces/health/health.ts';
// A worker has additional metrics.
import '../src/surfaces/worker.ts';
import { type TestService, testService } from './support/service/service.ts';

const root = new URL('..', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const [rules, dashboard, runbook] = ['ops/prometheus/alerts.yml', 'ops/grafana/crier.json', 'docs/runbook.md'].map(
  read,
);
/** All TRUST_PROXY settings in the operator files and the guides: file and value. */
function proxySettings(): [file: string, value: string][] {
  const inOps = readdirSync(new URL('ops/', root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(fileURLToPath(root), join(parentPath, name)));
  const guides = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'));
  return [...inOps, '.env.example', 'README.md', 'SECURITY.md', ...guides.map((name) => `docs/${name}`)].flatMap(
    (file) =>
      [...read(file).matchAll(/TRUST_PROXY(?:=|: )"?([\d.:a-f/,]+)/g)].map(([, value]): [string, string] => [
        file,
        value!.replace(/,$/, ''),
      ]),
  );
}

const alerts = [...rules!.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);

/** Metrics that Prometheus itself produces. */
const ofPrometheus = ['up'];

describe('the metrics that they name', () => {
  let service: TestService;
  let known: Set<string>;
  beforeAll(async () => {
    service = await testService();
    const worker = { id: service.app.workerId, lanes: [], dispatchedAt: service.app.clock.now() };
    await sendHeartbeat(service.app.db, worker, 60);
    const { body } = await service.server.inject('/metrics');
    known = new Set([...body.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name]) => name!));
  });
  afterAll(() => service.close());

  const unknown = (text: string) =>
    [...text.matchAll(/\b((?:crier|process|nodejs)_\w+)/g)]
      .map(([, name]) => name!.replace(/_(bucket|count|sum)$/, (suffix) => (known.has(name!) ? suffix : '')))
      .filter((name) => !known.has(name) && !ofPrometheus.includes(name));

  test('in the alerts exist', () => {
    const expressions = [...rules!.matchAll(/expr:([\s\S]*?)\n {8}(?:for|labels):/g)].map(([, text]) => text!);
    expect(expressions).toHaveLength(alerts.length);
    expect(expressions.flatMap(unknown)).toEqual([]);
  });

  test('in the dashboard exist', () => {
    const { panels } = JSON.parse(dashboard!) as { panels: { targets?: { expr: string }[] }[] };
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.flatMap(unknown)).toEqual([]);
  });

  test('are noticed if they do not exist', () => {
    expect(unknown('rate(crier_no_such_metric_bucket[5m])')).toEqual(['crier_no_such_metric']);
  });
});

describe('what readiness does not show', () => {
  /** The metrics behind each check of /readyz. Migrations are applied before a process listens. */
  const metricsOf: Record<keyof typeof neededBy, string[]> = {
    database: ['crier_database_up'],
    migrations: [],
    dispatcher: ['crier_workers', 'crier_last_dispatch_seconds'],
    loops: ['crier_loop_silence_seconds'],
    overdue: ['crier_oldest_overdue_seconds'],
    storage: ['crier_storage_up'],
  };

  test.each(Object.entries(metricsOf))('%s has an alert, and a row in the guide', (check, metrics) => {
    const guide = read('docs/monitoring.md');
    for (const metric of metrics) expect(rules).toMatch(new RegExp(`expr: .*\\b${metric}\\b`));
    expect(guide).toMatch(new RegExp(`^\\| .*\`${check}\`.*\\| \`Crier\\w+\`.*\\|$`, 'm'));
  });
});

describe('the runbook', () => {
  const sections = [...runbook!.matchAll(/^## (Crier\w+)$/gm)].map(([, name]) => name!);

  test('has one section for each alert, in their order, and no other', () => {
    expect(sections).toEqual(alerts);
  });

  test('every alert leads to its section', () => {
    const links = [...rules!.matchAll(/runbook: docs\/runbook\.md#(\w+)/g)].map(([, anchor]) => anchor);
    expect(links).toEqual(alerts.map((name) => name.toLowerCase()));
  });
});

describe('the chart and the compose file', () => {
  const chart = ['Chart.yaml', 'values.yaml', 'templates/deployments.yaml'].map((name) =>
    read(`ops/helm/crier/${name}`),
  );
  const [about = '', values = '', deployments = ''] = chart;
  const compose = read('ops/compose/compose.yaml') + read('ops/compose/crier.env.example');
  const variables = [...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name!);

  test('have the version of the package', () => {
    expect(about).toContain(`\nversion: ${packageJson.version}\nappVersion: ${packageJson.version}\n`);
  });

  test('set variables that exist', () => {
    const ofCompose = /^(POSTGRES|MINIO|COMPOSE|S3)_/;
    const set = [...`${values}\n${compose}`.matchAll(/^ *([A-Z][A-Z0-9_]+)[:=]/gm)].map(([, name]) => name!);
    expect(set).toContain('PUBLIC_URL');
    expect(set.filter((name) => !variables.includes(name) && !ofCompose.test(name))).toEqual([]);
  });

  test.each(proxySettings())('trust no range of addresses as a proxy: %s says %s', (_file, value) => {
    // Every other pod, container or machine in a range could claim any address and bypass all limits.
    expect(value.split(',').filter((entry) => isIP(entry.trim()) === 0)).toEqual([]);
  });

  test('trust no proxy by default, and with an ingress ask for its addresses', () => {
    expect(values.replaceAll(/^ *#.*$/gm, '')).not.toContain('TRUST_PROXY');
    expect(read('ops/helm/crier/templates/ingress.yaml')).toContain('required "settings.TRUST_PROXY is missing');
  });

  test('lead the proxy on the machine of the containers through one address, the gateway', () => {
    const [, gateway] = /^ +gateway: (\S+)$/m.exec(compose) ?? [];
    expect(compose).toContain(`\nTRUST_PROXY=${gateway}\n`);
  });

  test('ask each process of both roles whether it can do its own work', () => {
    const afterRoles = deployments.split(/\{\{- if eq \$role "api" \}\}[\s\S]*\n {10}\{\{- end \}\}\n/)[1];
    expect(afterRoles).toMatch(/readinessProbe:\n +httpGet: \{ path: \/readyz, port: http \}/);
    expect(deployments.match(/readinessProbe:/g)).toHaveLength(1);
  });

  test('ask routes that exist', async () => {
    const paths = [...deployments.matchAll(/path: (\/\w+)/g)].map(([, path]) => path!);
    expect(new Set(paths)).toEqual(new Set(['/healthz', '/readyz']));
    const { server, close } = await testService();
    for (const path of paths) expect((await server.inject(path)).statusCode).not.toBe(404);
    await close();
  });
});
