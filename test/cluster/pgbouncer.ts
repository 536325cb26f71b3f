import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, untilReady } from '../real/servers/server.ts';
import { passwords } from './patroni.ts';
import { canConnect, type Runner } from './runner.ts';

/** Gives each transaction one of a few database connections. Returns its port. */
export async function startPgbouncer(runner: Runner, databasePort: number): Promise<number> {
  const port = await freePort();
  const folder = await runner.folder('pgbouncer');
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  await writeFile(users, `"crier" "${passwords.crier}"\n`);
  await writeFile(file, configuration(port, databasePort, users));
  const server = runner.run(runner.paths.pgbouncer, [file]);
  await untilReady(async () => ((await canConnect(port)) ? true : null), server);
  return port;
}

const configuration = (port: number, databasePort: number, users: string) => `
[databases]
crier = host=127.0.0.1 port=${databasePort} dbname=crier
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 8
; After a fail-over the next attempt is not put off for 15 seconds, which is the default.
server_login_retry = 1
`;
