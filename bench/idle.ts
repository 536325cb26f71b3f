import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, startCrier } from '../test/support/crier-process.ts';

const rotationGraceMs = 20_000;
const watchMs = 20_000;
const ticksPerSecond = 100;

/** Memory and CPU at idle: service, sandbox and database, all processes together. Linux only. */
export async function idle() {
  const began = performance.now();
  const folder = await dataFolder();
  const crier = await startCrier({ folder });
  const readyMs = performance.now() - began;
  try {
    await sleep(rotationGraceMs);
    const pids = family(crier.ready.pid);
    const before = cpuTicks(pids);
    await sleep(watchMs);
    const cpu = (cpuTicks(pids) - before) / ticksPerSecond / (watchMs / 1000);
    return {
      'ready after (first start, s)': (readyMs / 1000).toFixed(1),
      processes: pids.length,
      'resident memory, shared pages counted once (MB; < 250)': megabytes(pids, 'smaps_rollup', /^Pss:\s+(\d+)/m),
      'resident memory, shared pages counted in each (MB)': megabytes(pids, 'status', /^VmRSS:\s+(\d+)/m),
      'processor (% of a core; < 2)': (cpu * 100).toFixed(2),
    };
  } finally {
    await crier.stop();
    await folder.remove();
  }
}

/** The process and all its descendants. PostgreSQL is one of them: it has its own session but the same parent. */
function family(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), Number(/^PPid:\s+(\d+)/m.exec(read(Number(pid), 'status'))?.[1])] as const);
  const found = [root];
  for (const pid of found) found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return found;
}

function megabytes(pids: number[], file: string, line: RegExp): string {
  const kilobytes = pids.reduce((sum, pid) => sum + Number(line.exec(read(pid, file))?.[1] ?? 0), 0);
  return (kilobytes / 1024).toFixed(0);
}

function cpuTicks(pids: number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
    return sum + Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }, 0);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
