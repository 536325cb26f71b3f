import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

/** The port itself if it is free (0 picks one), or a clear error now rather than half-way through the start. */
export async function freePort(port: number, host: string, variable: string): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new StartError(whyNot(code, port, host, variable))),
    );
    probe.listen({ port, host }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

function whyNot(code: string | undefined, port: number, host: string, variable: string): string {
  const other = `Set ${variable} to another port, or to 0 for any free one.`;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is taken by another program. ${other}`;
  if (code === 'EACCES') return `This user may not listen on port ${port}. ${other}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine. Set HOST to one that is.`;
  return `Cannot listen on ${host}:${port} (${code}). ${other}`;
}
