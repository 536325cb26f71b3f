import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bucket } from '../../../src/foundation/storage/s3.ts';
import { type RealS3, startS3, type UnpackedPackages } from './s3.ts';
import { freePort, untilAnswers } from './server.ts';

const execute = promisify(execFile);
const credentials = { accessKeyId: 'crier', secretAccessKey: 'kept+secret/by=the-test' };

/** Ceph with its S3 gateway: a monitor, and a storage server that keeps everything in memory. */
export const startRadosgw = (): Promise<RealS3> =>
  startS3({
    name: "Ceph's radosgw",
    packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
    start: startServers,
  });

async function startServers({ unpacked, libraries, home, clockEnv, run, ...rest }: UnpackedPackages): Promise<Bucket> {
  for (const name of ['mon', 'osd', 'run', 'rgw']) await mkdir(join(home, name));
  const [monitorPort, port, fsid, disk] = [await freePort(), await freePort(), randomUUID(), randomUUID()];
  const conf = join(home, 'ceph.conf');
  await writeFile(conf, configuration({ home, libraries, fsid, monitorPort, port }));
  const env = { ...rest.env, CEPH_CONF: conf };
  const program = (name: string) => join(unpacked, 'usr/bin', name);
  const tool = (name: string, ...args: string[]) => execute(program(name), args, { cwd: home, env });
  const start = (name: string, args: readonly string[], more: Record<string, string> = {}) =>
    run(program(name), [...args, '-f', '-c', conf], { ...env, ...more });

  const monitor = ['--create', '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, '--fsid', fsid, 'monmap'];
  await tool('monmaptool', ...monitor);
  await tool('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', '-n', 'mon.');
  await tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring', '-c', conf);
  start('ceph-mon', ['-i', 'a']);
  await tool('ceph', '--connect-timeout', '30', 'osd', 'new', disk);
  await tool('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', disk, '-c', conf);
  start('ceph-osd', ['-i', '0']);
  const gateway = start('radosgw', ['-n', 'client.rgw'], clockEnv);
  const endpoint = `http://127.0.0.1:${port}`;
  await untilAnswers(endpoint, gateway, 120);
  const { accessKeyId, secretAccessKey } = credentials;
  const user = ['--uid', 'crier', '--display-name', 'Crier', '--access-key', accessKeyId, '--secret', secretAccessKey];
  await tool('radosgw-admin', 'user', 'create', ...user, '-n', 'client.rgw', '-c', conf);
  return { kind: 's3', bucket: 'media', region: 'default', endpoint, credentials, publicUrl: null };
}

interface Places {
  home: string;
  libraries: string;
  fsid: string;
  monitorPort: number;
  port: number;
}

const configuration = ({ home, libraries, fsid, monitorPort, port }: Places) => `[global]
fsid = ${fsid}
mon_host = [v1:127.0.0.1:${monitorPort}]
ms_bind_msgr2 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = ${home}/run
admin_socket =
pid_file =
log_file = ${home}/$name.log
crash_dir = ${home}/run
plugin_dir = ${libraries}/ceph
erasure_code_dir = ${libraries}/ceph/erasure-code
osd_class_dir = ${libraries}/rados-classes
public_addr = 127.0.0.1
mon_data = ${home}/mon
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
osd_data = ${home}/osd
osd_objectstore = memstore
memstore_device_bytes = 2147483648
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
rgw_data = ${home}/rgw
rgw_frontends = beast endpoint=127.0.0.1:${port}
`;
