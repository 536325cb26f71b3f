// The ceilings for the API: a bare Fastify with the smallest handler that does the same work. Runs as a child process.
import Fastify from 'fastify';
import pg from 'pg';
import { bareCreatePost } from './create-post.ts';
import type { BareOptions } from './options.ts';
import { bareReads } from './reads.ts';

const options: BareOptions = JSON.parse(process.argv[2]!);
const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 10 });
const server = Fastify();

bareCreatePost(server, pool, options);
bareReads(server, pool, options);

process.send?.(await server.listen({ port: 0, host: '127.0.0.1' }));
process.once('disconnect', () => process.exit());
