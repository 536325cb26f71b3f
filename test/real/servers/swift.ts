import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/temporary-server.ts';
import { debianPackages, libraryFolder, libraryPath, versionIn } from './debian.ts';
import { fakeClock } from './fake-clock.ts';
import type { RealS3 } from './s3.ts';
import { freePort, type ServerProcess, startProcess, untilAnswers } from './server.ts';

const run = promisify(execFile);
const launcher = new URL('swift-server.py', import.meta.url).pathname;
const kinds = ['account', 'container', 'object'] as const;
const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'kept+secret/by=the-test' };
const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'libfaketime'];

/** OpenStack Swift with its S3 interface: a proxy, and three storage servers with one disk between them. */
export async function startSwift(): Promise<RealS3> {
  const folder = await temporaryFolder();
  const servers: ServerProcess[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await folder.remove();
  };
  try {
    const debian = join(folder.path, 'debian');
    const unpacked = await debianPackages(packages, debian);
    const libraries = await libraryFolder(unpacked);
    const home = join(folder.path, 'swift');
    await mkdir(join(home, 'disks/one'), { recursive: true });
    const clock = await fakeClock(join(folder.path, 'clock'), libraries);
    await writeFile(join(home, 'swift.conf'), swiftConf);
    const env = {
      PATH: `${join(unpacked, 'usr/bin')}:/usr/bin:/bin`,
      PYTHONPATH: join(unpacked, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: libraryPath(libraries),
    };
    const start = async (kind: string, configuration: string) => {
      const file = join(home, `${kind}.conf`);
      await writeFile(file, configuration);
      const args = [launcher, join(home, 'swift.conf'), file, `${kind}-server`];
      // Its parts have to agree on the time.
      const server = startProcess('/usr/bin/python3', args, { env: { ...env, ...clock.env } });
      servers.push(server);
      return server;
    };
    for (const kind of kinds) {
      const port = await freePort();
      const ring = (...args: string[]) =>
        run('/usr/bin/python3', [join(unpacked, 'usr/bin/swift-ring-builder'), `${kind}.builder`, ...args], {
          cwd: home,
          env,
        });
      await ring('create', '4', '1', '1');
      await ring(
        'add',
        '--region',
        '1',
        '--zone',
        '1',
        '--ip',
        '127.0.0.1',
        '--port',
        String(port),
        '--device',
        'one',
        '--weight',
        '1',
      );
      await ring('rebalance');
      const server = await start(kind, storageConf(kind, port, home));
      await untilAnswers(`http://127.0.0.1:${port}/healthcheck`, server);
    }
    const port = await freePort();
    const proxy = await start('proxy', proxyConf(port, home));
    const endpoint = `http://127.0.0.1:${port}`;
    await untilAnswers(`${endpoint}/healthcheck`, proxy);
    return {
      name: `OpenStack Swift ${await versionIn(debian, 'swift-proxy')}`,
      bucket: { kind: 's3', bucket: 'media', region: 'us-east-1', endpoint, credentials, publicUrl: null },
      advance: clock.advance,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const swiftConf = `[swift-hash]
swift_hash_path_suffix = crier
swift_hash_path_prefix = test
[storage-policy:0]
name = one
default = yes
`;

const storageConf = (kind: string, port: number, home: string) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${home}
devices = ${home}/disks
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = healthcheck ${kind}-server
[filter:healthcheck]
use = egg:swift#healthcheck
[app:${kind}-server]
use = egg:swift#${kind}
`;

const proxyConf = (port: number, home: string) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${home}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck proxy-logging cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${credentials.secretAccessKey} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
`;
