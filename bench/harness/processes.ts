import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The parties of a measurement, each given by the root processes of its tree. */
export type Parties = Readonly<Record<Party, readonly number[]>>;
export type Party = (typeof partyNames)[number];
export const partyNames = ['client', 'service', 'database', 'sandbox'] as const;

/** The share of all cores that each party used, from 0 to 1. */
export type Shares = Record<Party, number>;

export interface Timed<T> {
  value: T;
  seconds: number;
  /** Null where there is no /proc. */
  shares: Shares | null;
}

/** Measures how long the work takes and how much CPU each party uses meanwhile. */
export async function timed<T>(parties: Parties, work: () => Promise<T>): Promise<Timed<T>> {
  const before = partyNames.map((name) => cpuSeconds(parties[name]));
  const began = performance.now();
  const value = await work();
  const seconds = (performance.now() - began) / 1000;
  if (process.platform !== 'linux') return { value, seconds, shares: null };
  const shares = partyNames.map((name, index) => {
    const used = cpuSeconds(parties[name]) - before[index]!;
    return [name, used / seconds / availableParallelism()] as const;
  });
  return { value, seconds, shares: Object.fromEntries(shares) as Shares };
}

/** The processes and all their descendants. */
export function family(roots: readonly number[]): number[] {
  if (process.platform !== 'linux') return [...roots];
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), Number(/^PPid:\s+(\d+)/m.exec(read(Number(pid), 'status'))?.[1])] as const);
  const found = [...roots];
  for (const pid of found) found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return found;
}

const ticksPerSecond = 100;

/** The time of processes that have exited is counted in their parents. */
export function cpuSeconds(roots: readonly number[]): number {
  const ticks = family(roots).map((pid) => {
    // The program name comes before the last parenthesis and may contain anything.
    const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
    const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
    return (user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

/** The memory of the processes and their descendants, with shared pages counted once. */
export const memoryMegabytes = (roots: readonly number[]): number =>
  kilobytes(family(roots), 'smaps_rollup', /^Pss:\s+(\d+)/m) / 1024;

/** The memory of one process. */
export const residentMegabytes = (pid: number): number => kilobytes([pid], 'status', /^VmRSS:\s+(\d+)/m) / 1024;

const kilobytes = (pids: readonly number[], file: string, line: RegExp): number =>
  pids.reduce((sum, pid) => sum + Number(line.exec(read(pid, file))?.[1] ?? 0), 0);

/** Empty if the process has exited. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
