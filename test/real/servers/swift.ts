import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bucket } from '../../../src/foundation/storage/s3.ts';
import { type RealS3, startS3, type UnpackedPackages } from './s3.ts';
import { freePort, untilAnswers } from './server.ts';

const execute = promisify(execFile);
const python = '/usr/bin/python3';
const launcher = new URL('swift-server.py', import.meta.url).pathname;
const kinds = ['account', 'container', 'object'] as const;
const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'kept+secret/by=the-test' };

/** OpenStack Swift with its S3 interface: a proxy, and three storage servers that share one disk. */
export const startSwift = (): Promise<RealS3> =>
  startS3({
    name: 'OpenStack Swift',
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
    start: startServers,
  });

async function startServers({ unpacked, home, env, clockEnv, run }: UnpackedPackages): Promise<Bucket> {
  await mkdir(join(home, 'disks/one'), { recursive: true });
  await writeFile(join(home, 'swift.conf'), swiftConf);
  /** All its parts must use the same clock. */
  const start = async (kind: string, port: number, configuration: string) => {
    const file = join(home, `${kind}.conf`);
    await writeFile(file, configuration);
    const args = [launcher, join(home, 'swift.conf'), file, `${kind}-server`];
    const server = run(python, args, { ...env, ...clockEnv });
    await untilAnswers(`http://127.0.0.1:${port}/healthcheck`, server);
  };
  const ringBuilder = join(unpacked, 'usr/bin/swift-ring-builder');
  for (const kind of kinds) {
    const port = await freePort();
    const ring = (words: string) =>
      execute(python, [ringBuilder, `${kind}.builder`, ...words.split(' ')], { cwd: home, env });
    await ring('create 4 1 1');
    await ring(`add --region 1 --zone 1 --ip 127.0.0.1 --port ${port} --device one --weight 1`);
    await ring('rebalance');
    await start(kind, port, storageConf(kind, port, home));
  }
  const port = await freePort();
  await start('proxy', port, proxyConf(port, home));
  const endpoint = `http://127.0.0.1:${port}`;
  return { kind: 's3', bucket: 'media', region: 'us-east-1', endpoint, credentials, publicUrl: null };
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
# A busy machine is slow to answer, and its parts would take each other for broken.
conn_timeout = 30
node_timeout = 60
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
