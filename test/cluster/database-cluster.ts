import pg from 'pg';
import { type Node, passwords, startEtcd, startNode, untilReplicated } from './patroni.ts';
import type { Runner } from './runner.ts';

/** Two PostgreSQL servers managed by Patroni and etcd, with the database `crier`. */
export async function startDatabase(runner: Runner): Promise<Node[]> {
  const etcdPort = await startEtcd(runner);
  const nodes = [await startNode(runner, 'one', etcdPort), await startNode(runner, 'two', etcdPort)];
  const primary = await untilReplicated(nodes);
  await withClient(`postgres://postgres:${passwords.postgres}@127.0.0.1:${primary.port}/postgres`, async (client) => {
    await client.query(`create role crier login password '${passwords.crier}'`);
    await client.query('create database crier owner crier');
  });
  return nodes;
}

/** An address that names both servers; a connection to it finds the primary. */
export const addressOfAll = (nodes: readonly Pick<Node, 'port'>[]) =>
  `postgres://crier:${passwords.crier}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/crier?target_session_attrs=read-write`;

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'cluster-test' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
