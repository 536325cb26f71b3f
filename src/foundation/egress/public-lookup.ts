import { Resolver } from 'node:dns/promises';

/** Returns every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Adds up to less than the connect timeout. */
const patience = { timeout: 2_000, tries: 2, maxTimeout: 4_000 };

/**
 * Resolves names with DNS only. The system resolver blocks one of a few threads while a name server is slow, so one
 * user's slow names would delay every other lookup in the process.
 */
export function publicLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver(patience);
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
