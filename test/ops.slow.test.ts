import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './support/temporary-server.ts';

// What the programs themselves say about the files in ops/.
const root = new URL('..', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const alerts = [...read('ops/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)];

const promtool = process.env.PROMTOOL ?? 'promtool';
const isThere = (program: string, flag: string) => spawnSync(program, [flag], { stdio: 'ignore' }).status === 0;

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
      // Programs must exist, so the checkout is the installation.
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
