import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

/** Ports already handed out, which nothing may be listening on yet. */
const given = new Set<number>();

/**
 * Returns the port if it is free (0 picks a free one, never the same twice). Otherwise throws now rather than later
 * during startup.
 */
export async function freePort(port: number, host: string, variable: string): Promise<number> {
  const found = await probe(port, host, variable);
  if (port === 0 && given.has(found)) return freePort(port, host, variable);
  given.add(found);
  return found;
}

async function probe(port: number, host: string, variable: string): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new StartError(messageFor(code, port, host, variable))),
    );
    server.listen({ port, host }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

function messageFor(code: string | undefined, port: number, host: string, variable: string): string {
  const other = `Set ${variable} to another port, or to 0 to use any free port.`;
  if (code === 'EADDRINUSE') return `Another program is using port ${port} on ${host}. ${other}`;
  if (code === 'EACCES') return `This user is not allowed to listen on port ${port}. ${other}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine. Set HOST to one that is.`;
  return `Cannot listen on ${host}:${port} (${code}). ${other}`;
}
