// Shows where a stage spent its time: database statements and functions of the service.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import pg from 'pg';

/** The folder given by `--profile` for V8 profiles, which a browser can open. Null if profiling is off. */
export const profileFolder = () => process.env.BENCH_PROFILE ?? null;

export const profiledEnvironment = (folder: string) => ({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` });
export const profiledSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
};

const shown = 12;

export interface StatementProfile {
  print(): Promise<void>;
}

/** Counts the statements from now on. */
export async function profileStatements(superuserUrl: string): Promise<StatementProfile> {
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: superuserUrl });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  await query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()');
  return {
    async print() {
      const rows = await query(`
        select calls::integer, round(total_exec_time)::integer as "total ms", round(mean_exec_time::numeric, 2)::float as "mean ms",
          round(100 * (total_exec_time + total_plan_time) / sum(total_exec_time + total_plan_time) over ())::integer as "%",
          round(total_plan_time)::integer as "planning ms", rows::integer,
          (shared_blks_hit / calls)::integer as "pages each", (wal_bytes / calls)::integer as "WAL bytes each",
          regexp_replace(query, '\\s+', ' ', 'g') as statement
        from pg_stat_statements where calls > 0 order by total_exec_time + total_plan_time desc limit ${shown}`);
      for (const { statement, ...figures } of rows) {
        console.log(`${inspect(figures, { breakLength: Number.POSITIVE_INFINITY })}\n  ${statement.slice(0, 260)}`);
      }
    },
  };
}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Creates the folder, or empties it. */
export async function emptyProfileFolder(folder: string) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

/** Prints the functions and packages with the most self time. */
export async function printCpuProfiles(folder: string) {
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'))) {
    const { nodes, samples, timeDeltas }: CpuProfile = JSON.parse(await readFile(join(folder, file), 'utf8'));
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    const [functions, places] = [new Map<string, number>(), new Map<string, number>()];
    let busy = 0;
    for (const [index, id] of samples.entries()) {
      const { functionName, url, lineNumber } = frames.get(id)!;
      if (functionName === '(idle)') continue;
      const ms = timeDeltas[index]! / 1000;
      busy += ms;
      const place = placeOf(url, functionName);
      add(places, place, ms);
      add(functions, `${functionName || '(anonymous)'} ${url ? `${place}:${lineNumber + 1}` : ''}`, ms);
    }
    console.log(`\n${file}: busy for ${(busy / 1000).toFixed(1)} s`);
    print(places, busy, shown);
    print(functions, busy, 3 * shown);
  }
}

function placeOf(url: string, functionName: string): string {
  if (!url) return functionName.startsWith('(') ? functionName : '(native)';
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  return inPackage ?? /\/((?:src|sandbox)\/.+)$/.exec(url)?.[1] ?? url;
}

const add = (sums: Map<string, number>, name: string, ms: number) => sums.set(name, (sums.get(name) ?? 0) + ms);

function print(sums: Map<string, number>, busy: number, limit: number) {
  const sorted = [...sums].sort(([, one], [, other]) => other - one).slice(0, limit);
  for (const [name, ms] of sorted) console.log(`${((100 * ms) / busy).toFixed(1).padStart(6)} % ${name}`);
  console.log('');
}
