import { connect, isIPv6 } from 'node:net';

const loopback: Record<string, string> = { '127.0.0.1': '::1', '::1': '127.0.0.1' };

/**
 * The name under which people on this machine open Crier. Passkeys need a domain name, so it is `localhost` wherever that leads
 * here. The name stands for 127.0.0.1 and ::1: browsers, curl and Node try the other one if nothing listens on the first, so it
 * does not matter that Crier listens on one of them alone, unless another program has the port on the other.
 */
export async function localName(host: string, port: number): Promise<string> {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost';
  const other = loopback[host];
  if (other && !(await isTaken(other, port))) return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

async function isTaken(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    return await promise;
  } finally {
    socket.destroy();
  }
}
