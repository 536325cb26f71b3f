import type { Core } from '../../../app.ts';
import { type Check, fail } from '../../../startup/checks.ts';
import { backlog, clockSkew, hasTables, keys, migrations, running, server, tasks } from './database-checks.ts';
import { apiVersions, connections, disk, installation, mailServer, storage } from './machine-checks.ts';

type Probe = (core: Core) => Promise<Check | Check[]>;

/** In this order: later probes depend on earlier ones. */
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

/** These read tables. Before the first migration there is nothing to read, which `migrations` reports. */
const onTables = new Set<Probe>([running, backlog, tasks, keys, connections]);

export async function runProbes(core: Core): Promise<Check[]> {
  // If this cannot be determined, each check reports why.
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
