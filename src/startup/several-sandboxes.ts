import type { App } from '../app.ts';
import { selectOthers, silentSeconds } from '../publishing/heartbeat-queries.ts';

type Needs = Pick<App, 'db' | 'workerId' | 'log'>;

/** By then, workers that died before this start are no longer listed. */
const afterMs = (silentSeconds + 4) * 1000;

/** Looks for other workers in a while. Returns what calls that off. */
export function watchForSeveralSandboxes(app: Needs): () => void {
  const timer = setTimeout(() => void warnOfSeveralSandboxes(app).catch(() => {}), afterMs).unref();
  return () => clearTimeout(timer);
}

/** Two machines that imitate the networks each for itself know no account of the other. */
export async function warnOfSeveralSandboxes({ db, workerId, log }: Needs) {
  if ((await selectOthers(db, workerId)).length === 0) return;
  log.warn(
    'Another Crier works on this database, and this one has a sandbox of its own, which knows no account that was connected there. docs/operate.md says how to share one.',
  );
}
