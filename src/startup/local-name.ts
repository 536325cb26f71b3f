import { connect, isIPv6 } from 'node:net';

const loopback: Record<string, string> = { '127.0.0.1': '::1', '::1': '127.0.0.1' };

/**
 * The host name for opening Crier on this machine. Passkeys need a domain name, so use `localhost` if it leads here.
 * The name resolves to 127.0.0.1 and ::1. Browsers, curl and Node try the other one if nothing listens on the first, so
 * it does not matter that Crier listens on only one, unless another program has the port on the other.
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
