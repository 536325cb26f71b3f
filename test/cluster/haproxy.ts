import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type ServerProcess, untilReady } from '../real/servers/server.ts';
import type { Node } from './patroni.ts';
import { canConnect, type Runner } from './runner.ts';

/** One address for the primary, and one for all API processes. */
export interface Balancer {
  readonly databasePort: number;
  readonly apiPort: number;
  readonly server: ServerProcess;
}

export async function startHaproxy(
  runner: Runner,
  nodes: readonly Node[],
  apiPorts: readonly number[],
): Promise<Balancer> {
  const [databasePort, apiPort] = [await freePort(), await freePort()];
  const file = join(await runner.folder('haproxy'), 'haproxy.cfg');
  await writeFile(file, configuration(nodes, apiPorts, databasePort, apiPort));
  const server = runner.run(runner.paths.haproxy, ['-db', '-f', file]);
  await untilReady(async () => ((await canConnect(apiPort)) ? true : null), server);
  return { databasePort, apiPort, server };
}

const configuration = (nodes: readonly Node[], apiPorts: readonly number[], databasePort: number, apiPort: number) => `
global
    maxconn 2000
defaults
    timeout connect 2s
    timeout client 1h
    timeout server 1h
    timeout check 5s
listen postgres
    bind 127.0.0.1:${databasePort}
    mode tcp
    option httpchk
    http-check send meth OPTIONS uri /primary
    http-check expect status 200
    # Connections to a server that is no longer the primary are closed, or their statements would wait for minutes.
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, restPort }) => `    server ${name} 127.0.0.1:${port} check port ${restPort}`).join('\n')}
listen api
    bind 127.0.0.1:${apiPort}
    mode http
    option forwardfor
    option httpchk
    http-check send meth GET uri /readyz
    http-check expect status 200
    # A request that was not sent yet goes to another process; one that was sent is never sent again.
    retries 3
    option redispatch 1
    retry-on conn-failure
    http-reuse never
    # A machine that vanishes closes no connections.
    option http-server-close
    option srvtcpka
    srvtcpka-idle 5s
    srvtcpka-intvl 2s
    srvtcpka-cnt 3
    default-server inter 1s fall 2 rise 1 tcp-ut 10s
${apiPorts.map((port) => `    server api${port} 127.0.0.1:${port} check`).join('\n')}
`;
