import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type pg from 'pg';
import { startSandbox } from '../../sandbox/server.ts';
import type { Bucket } from '../../src/foundation/storage/s3.ts';
import { CannotRun, freePort } from '../real/servers/server.ts';
import { startSwift } from '../real/servers/swift.ts';
import { temporaryFolder } from '../support/database/temporary-server.ts';
import { type CrierProcess, dataFolder, startCrier } from '../support/processes/crier.ts';
import { startS3 } from '../support/servers/s3.ts';
import { addressOfAll, startDatabase, withClient } from './database-cluster.ts';
import { type Balancer, startHaproxy } from './haproxy.ts';
import { type Node, passwords } from './patroni.ts';
import { startPgbouncer } from './pgbouncer.ts';
import { findPrograms } from './programs.ts';
import { openRunner, type Runner } from './runner.ts';
import { type Cable, openCable } from './tcp-proxy.ts';

/**
 * Crier as it runs on many machines: two PostgreSQL servers managed by Patroni and etcd, HAProxy in front of them and
 * of two API processes, PgBouncer in transaction mode between the API and the database, three workers, and a bucket.
 */
export interface Cluster extends AsyncDisposable {
  readonly nodes: readonly Node[];
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  /** The link between the third worker and the database. */
  readonly cable: Cable;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly sandboxUrl: string;
  /** The server that stores the files. */
  readonly storage: string;
  /** For a test's files that members may need until they stop. */
  readonly folder: string;
  /** Runs a statement as superuser, on the primary or on the given node. */
  query<Row extends pg.QueryResultRow>(text: string, node?: Node): Promise<Row[]>;
}

/** One process of Crier. */
export interface Member {
  readonly name: string;
  readonly crier: CrierProcess;
  /** Starts another version, or with additional variables. */
  start(other?: { checkout?: string; environment?: Record<string, string> }): Promise<void>;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

/** `isThorough`: missing programs are unpacked from Debian packages, and the bucket is in OpenStack Swift. */
export async function startCluster(isThorough: boolean): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const programs = await findPrograms(isThorough ? join(folder.path, 'debian') : null);
  const runner = await openRunner(folder.path, programs, stack);
  const storage = await aBucket(isThorough, stack);
  const nodes = await startDatabase(runner);
  const apiPorts = [await freePort(), await freePort()];
  const balancer = await startHaproxy(runner, nodes, apiPorts);
  const urls = await addressesOf(runner, nodes, balancer, stack);
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', folder: null });
  stack.defer(() => sandbox.close());

  const common = {
    SECRET_KEY: '5e'.repeat(32),
    STORAGE_URL: storage.url,
    SANDBOX_PORT: new URL(sandbox.url).port,
    PUBLIC_URL: `http://127.0.0.1:${balancer.apiPort}`,
    TRUST_PROXY: '127.0.0.1',
    DEFAULT_PLAN: 'agency',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    STOP_NOTICE_SECONDS: '5',
  };
  const worker = (number: number, DATABASE_URL: string) =>
    addMember(`worker ${number}`, { ...common, ROLES: 'worker', DATABASE_URL }, stack);
  // The first worker creates the demo account.
  const first = await worker(1, urls.balanced);
  const [second, third, ...apis] = await Promise.all([
    worker(2, urls.severalHosts),
    worker(3, urls.throughCable),
    ...apiPorts.map((port, index) =>
      addMember(`api ${index + 1}`, { ...common, ROLES: 'api', PORT: String(port), ...urls.pooled }, stack),
    ),
  ]);
  const running = stack.move();
  return {
    nodes,
    apis,
    workers: [first, second!, third!],
    cable: urls.cable,
    apiUrl: `${common.PUBLIC_URL}/api/v1`,
    apiKey: first.crier.ready.demo?.apiKey ?? '',
    sandboxUrl: sandbox.url,
    storage: storage.name,
    folder: folder.path,
    query: (text, node) => withClient(urls.superuser(node?.port), async (client) => (await client.query(text)).rows),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The database addresses that the members use. */
async function addressesOf(
  runner: Runner,
  nodes: readonly Node[],
  { databasePort }: Balancer,
  stack: AsyncDisposableStack,
) {
  const poolerPort = await startPgbouncer(runner, databasePort);
  const cable = stack.use(await openCable(databasePort));
  const at = (port: number) => `postgres://crier:${passwords.crier}@127.0.0.1:${port}/crier`;
  return {
    cable,
    balanced: at(databasePort),
    pooled: { DATABASE_URL: at(poolerPort), DATABASE_LISTEN_URL: at(databasePort) },
    severalHosts: addressOfAll(nodes),
    throughCable: at(cable.port),
    superuser: (port = databasePort) => `postgres://postgres:${passwords.postgres}@127.0.0.1:${port}/crier`,
  };
}

async function addMember(
  name: string,
  environment: Record<string, string>,
  stack: AsyncDisposableStack,
): Promise<Member> {
  const folder = await dataFolder();
  stack.defer(() => folder.remove());
  const start: Member['start'] = async (other = {}) => {
    const { checkout } = other;
    const given = { ...environment, ...other.environment };
    crier = await startCrier({ folder, environment: given, ...(checkout && { checkout }) });
  };
  let crier = await startCrier({ folder, environment });
  return {
    name,
    get crier() {
      return crier;
    },
    start,
    async stop() {
      const { code } = await crier.stop();
      if (code !== 0) throw new Error(`${name} ended with ${code}:\n${crier.output()}`);
    },
    kill9: () => crier.kill9(),
  };
}

/** OpenStack Swift or, where Swift cannot run, a server that checks signatures as AWS documents them. */
async function aBucket(isThorough: boolean, stack: AsyncDisposableStack) {
  const swift = isThorough ? await startSwift().catch(unlessItCannotRun) : null;
  if (swift) {
    stack.use(swift);
    await makeBucket(swift.bucket);
    return { name: swift.name, url: storageUrl(swift.bucket) };
  }
  const s3 = stack.use(await startS3());
  return { name: 'a stand-in for S3', url: storageUrl(s3.bucket) };
}

function unlessItCannotRun(error: unknown): null {
  if (error instanceof CannotRun) return null;
  throw error;
}

async function makeBucket({ bucket, region, endpoint, credentials }: Bucket) {
  const client = new S3Client({
    region,
    forcePathStyle: true,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}

function storageUrl({ bucket, region, endpoint, credentials }: Bucket): string {
  const { accessKeyId = '', secretAccessKey = '' } = credentials ?? {};
  const query = new URLSearchParams({ region, endpoint: endpoint ?? '', accessKeyId, secretAccessKey });
  return `s3://${bucket}?${query.toString().replaceAll('+', '%20')}`;
}
