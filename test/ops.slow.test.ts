import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './support/database/temporary-server.ts';

// Checks the files in ops/ with the programs that read them.
const root = new URL('..', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const alerts = [...read('ops/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)];

const promtool = process.env.PROMTOOL ?? 'promtool';
const isThere = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

describe.skipIf(!isThere(promtool, '--version'))(
  'promtool (skipped where it is missing: apt-get install prometheus)',
  () => {
    const cwd = new URL('ops/prometheus/', root);
    const run = (...args: string[]) => execFileSync(promtool, args, { cwd, stdio: 'pipe', encoding: 'utf8' });

    test('accepts the rules and the configuration', () => {
      expect(run('check', 'rules', 'alerts.yml')).toContain(`${alerts.length} rules found`);
      expect(run('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    });

    test('sees the alerts fire when they should', () => {
      expect(run('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
    });
  },
);

describe.skipIf(!isThere('systemd-analyze', '--version'))('systemd (skipped where it is missing)', () => {
  test('accepts the units', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const units = readdirSync(new URL('ops/systemd/', root));
    for (const unit of units) {
      // The programs must exist, so the checkout serves as the installation.
      const text = read(`ops/systemd/${unit}`).replaceAll('/opt/crier', root.pathname.replace(/\/$/, ''));
      writeFileSync(join(folder.path, unit), text);
    }
    const args = ['verify', '--man=no', ...units.map((unit) => join(folder.path, unit))];
    const { status, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

const nginx = process.env.NGINX ?? 'nginx';

describe.skipIf(!isThere(nginx, '-v'))('nginx (skipped where it is missing: apt-get install nginx)', () => {
  test('accepts the configuration', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const { path } = folder;
    const [key, certificate] = [join(path, 'key.pem'), join(path, 'certificate.pem')];
    const subject = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=crier.example.com'];
    execFileSync('openssl', [...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const site = read('ops/nginx/crier.conf')
      .replace(/ssl_certificate +\S+;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key +\S+;/, `ssl_certificate_key ${key};`)
      .replace('listen 80;', 'listen 127.0.0.1:18080;')
      .replace('listen 443 ', 'listen 127.0.0.1:18443 ');
    writeFileSync(join(path, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${path}/${name};`,
    );
    const main = `pid ${path}/pid; error_log ${path}/log; events {} http { access_log off; ${temporary.join(' ')} include ${path}/site.conf; }`;
    writeFileSync(join(path, 'nginx.conf'), main);
    const { status, stderr } = spawnSync(nginx, ['-t', '-c', join(path, 'nginx.conf'), '-e', join(path, 'log')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')]);
  });
});

const haproxy = process.env.HAPROXY ?? 'haproxy';

describe.skipIf(!isThere(haproxy, '-v'))('HAProxy (skipped where it is missing: apt-get install haproxy)', () => {
  test('accepts the sections of the guide', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const certificate = join(folder.path, 'crier.pem');
    const subject = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=crier.example.com'];
    execFileSync('openssl', [...subject, '-keyout', certificate, '-out', `${certificate}.crt`], { stdio: 'ignore' });
    writeFileSync(certificate, readFileSync(certificate, 'utf8') + readFileSync(`${certificate}.crt`, 'utf8'));
    const guides = ['docs/database.md', 'docs/balancer.md'].map(read).join('\n');
    const sections = [...guides.matchAll(/```\n(listen [\s\S]*?)```/g)].map(([, text]) => text);
    expect(sections).toHaveLength(2);
    const defaults = 'defaults\n    timeout connect 5s\n    timeout client 1h\n    timeout server 1h\n';
    const file = join(folder.path, 'haproxy.cfg');
    writeFileSync(file, defaults + sections.join('\n').replace('/etc/haproxy/crier.pem', certificate));
    const { status, stderr } = spawnSync(haproxy, ['-c', '-q', '-f', file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

const shellcheck = process.env.SHELLCHECK ?? 'shellcheck';

describe.skipIf(!isThere(shellcheck, '--version'))('shellcheck (skipped where it is missing)', () => {
  test('accepts the admin command of the units', () => {
    const { status, stdout } = spawnSync(shellcheck, [fileURLToPath(new URL('ops/bin/crier-admin', root))], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  });
});

const compose = isThere('docker-compose', '--version') ? ['docker-compose'] : ['docker', 'compose'];

// Docker may be installed without the plugin.
describe.skipIf(!isThere(compose[0]!, ...compose.slice(1), 'version'))(
  'compose (skipped where it is missing: apt-get install docker-compose)',
  () => {
    const config = async (settings: string) => {
      const folder = await temporaryFolder();
      onTestFinished(() => folder.remove());
      writeFileSync(join(folder.path, 'compose.yaml'), read('ops/compose/compose.yaml'));
      writeFileSync(join(folder.path, 'crier.env'), settings);
      const [program = '', ...before] = compose;
      const args = [...before, '--env-file', 'crier.env', 'config'];
      return spawnSync(program, args, { cwd: folder.path, encoding: 'utf8' });
    };
    const example = read('ops/compose/crier.env.example');

    test('accepts the file with the settings of the example', async () => {
      const filled = example.replaceAll(/^(POSTGRES_PASSWORD|S3_PASSWORD|SECRET_KEY)=$/gm, `$1=${'ab'.repeat(32)}`);
      const { status, stdout, stderr } = await config(filled);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`postgres://crier:${'ab'.repeat(32)}@db:5432/crier`);
      expect(stdout.match(/read_only: true/g)).toHaveLength(3);
    });

    test('refuses to start without passwords', async () => {
      const { status, stderr } = await config(example);
      expect([status, stderr]).toEqual([expect.any(Number), expect.stringContaining('see crier.env.example')]);
      expect(status).not.toBe(0);
    });
  },
);

const goLibraries = '/usr/share/gocode/src/github.com/Masterminds/sprig';
const hasHelm = isThere('helm', 'version');
const hasGo = isThere('go', 'version') && existsSync(goLibraries);

describe.skipIf(!hasHelm && !hasGo)(
  'the Helm chart (skipped without helm, and without the Go libraries that test/ops/render-chart.go names)',
  () => {
    const chart = fileURLToPath(new URL('ops/helm/crier', root));
    const minimal = { image: { repository: 'registry.example.com/crier' }, secretName: 'crier-secret' };

    async function render(values: object) {
      const folder = await temporaryFolder();
      onTestFinished(() => folder.remove());
      if (hasHelm) {
        writeFileSync(join(folder.path, 'values.json'), JSON.stringify(values));
        return spawnSync('helm', ['template', 'crier', chart, '-f', 'values.json'], {
          cwd: folder.path,
          encoding: 'utf8',
        });
      }
      const env = {
        ...process.env,
        GO111MODULE: 'off',
        GOPATH: '/usr/share/gocode',
        GOCACHE: join(tmpdir(), 'go-cache'),
      };
      const program = fileURLToPath(new URL('test/ops/render-chart.go', root));
      return spawnSync('go', ['run', program, chart, JSON.stringify(values)], { env, encoding: 'utf8' });
    }
    const kinds = (text: string) => [...text.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind!).sort();

    test('renders what every installation needs', async () => {
      const { stdout, stderr } = await render(minimal);
      expect(stderr).toBe('');
      const budgets = ['PodDisruptionBudget', 'PodDisruptionBudget'];
      expect(kinds(stdout)).toEqual(['Deployment', 'Deployment', 'Job', ...budgets, 'Service']);
      expect(stdout).toMatch(/helm\.sh\/hook: pre-install,pre-upgrade/);
      for (const setting of ['readOnlyRootFilesystem: true', 'name: "crier-secret"', 'drop: [ALL]'])
        expect(stdout.split(setting)).toHaveLength(4);
      expect(stdout.split('runAsNonRoot: true')).toHaveLength(4);
      expect(stdout).not.toMatch(/\{\{|<no value>|\t/);
    });

    test('renders everything that can be switched on', async () => {
      const on = { autoscaling: { enabled: true } };
      const settings = { TRUST_PROXY: '10.0.3.7' };
      const all = {
        ...{ ...minimal, settings, api: on, worker: on },
        ...{ ingress: { enabled: true }, podMonitor: { enabled: true } },
      };
      const { stdout, stderr } = await render(all);
      expect(stderr).toBe('');
      const more = ['HorizontalPodAutoscaler', 'HorizontalPodAutoscaler', 'Ingress', 'PodMonitor'];
      expect(kinds(stdout)).toEqual(expect.arrayContaining(more));
      // An autoscaler sets the number of replicas.
      expect(stdout).not.toMatch(/^ {2}replicas:/m);
    });

    test('says what is missing', async () => {
      const { status, stderr } = await render({ image: minimal.image });
      expect([status, stderr]).toEqual([1, expect.stringContaining('secretName is missing')]);
    });

    test('trusts no proxy that nobody named, and makes no ingress without one', async () => {
      expect((await render(minimal)).stdout).not.toContain('TRUST_PROXY');
      const { status, stderr } = await render({ ...minimal, ingress: { enabled: true } });
      expect([status, stderr]).toEqual([1, expect.stringContaining('settings.TRUST_PROXY is missing')]);
    });
  },
);
