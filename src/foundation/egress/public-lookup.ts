import { Resolver } from 'node:dns/promises';

/** Returns every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Together less than the time for a connection. */
const patience = { timeout: 2_000, tries: 2, maxTimeout: 4_000 };

/**
 * Looks names up with DNS alone. The system's resolver takes one of a few threads for as long as a name server leaves it
 * waiting, and everything else in the process that needs a look-up would wait for the slow names of one user.
 */
export function publicLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver(patience);
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
