// The baseline of any service with this database: Node with Fastify, a connection pool and the same PostgreSQL.
import Fastify from 'fastify';
import pg from 'pg';
import { openEmbedded } from '../../src/foundation/db/embedded/embedded.ts';

const { folder }: { folder: string } = JSON.parse(process.argv[2]!);
const database = await openEmbedded({ folder, log: { info() {}, warn() {} } });
const pool = new pg.Pool({ connectionString: database.url });
const server = Fastify();
server.get('/', async () => (await pool.query('select 1 as one')).rows[0]);
const url = await server.listen({ port: 0, host: '127.0.0.1' });
await pool.query('select 1');
process.send?.(url);

process.once('disconnect', async () => {
  await server.close();
  await pool.end();
  await database.release();
  process.exit();
});
