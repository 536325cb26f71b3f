import type { Core } from '../../../app.ts';
import { type Check, fail } from '../../../startup/checks.ts';
import { backlog, clockSkew, hasTables, keys, migrations, running, server, tasks } from './database-checks.ts';
import { apiVersions, connections, disk, installation, mailServer, storage } from './machine-checks.ts';

type Probe = (core: Core) => Promise<Check | Check[]>;

/** In this order: what comes later needs what came before. */
const probes: Record<string, Probe> = {
  database: server,
  migrations,
  clock: clockSkew,
  service: running,
  backlog,
  'periodic tasks': tasks,
  'stored credentials': keys,
  'media files': storage,
  'mail server': mailServer,
  disk,
  installation,
  connections,
  'network APIs': apiVersions,
};

/** These read tables. Before the first migration they have nothing to look at, and `migrations` says so. */
const onTables = new Set<Probe>([running, backlog, tasks, keys, connections]);

export async function runProbes(core: Core): Promise<Check[]> {
  // If that cannot be found out, each check says why.
  const isEmpty = !(await hasTables(core).catch(() => true));
  const found: Check[] = [];
  for (const [name, probe] of Object.entries(probes)) {
    if (isEmpty && onTables.has(probe)) continue;
    found.push(...[await probe(core).catch((error: Error) => unexpected(name, error))].flat());
  }
  return found;
}

const unexpected = (name: string, error: Error) =>
  fail(name, `This could not be checked: ${error.message}`, 'See the lines above, and the log.');
