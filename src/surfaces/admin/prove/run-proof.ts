import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../../app.ts';
import { whoIs } from '../../../features/auth/access/api-key.ts';
import { findConnection, type StoredConnection } from '../../../features/connections/connections.ts';
import { credentialsOf } from '../../../features/connections/credentials/stored-credentials.ts';
import { withBatchedWrites } from '../../../features/publishing/attempt/batched-writes.ts';
import { claimLane } from '../../../features/publishing/lanes/claimed-lane.ts';
import { version } from '../../../foundation/http/version.ts';
import { platformFor } from '../../../platforms/index.ts';
import { secretsOf } from '../../../platforms/kit/http/client.ts';
import type { Platform } from '../../../platforms/kit/index.ts';
import { AdminError, errorMessage } from '../error-message.ts';
import { checks } from './checks.ts';
import { deleteMade } from './delete-made.ts';
import { NotOffered, type Proof } from './proof.ts';
import { recorder } from './recorder.ts';
import type { Transcript, Verdict } from './transcript.ts';

export interface ProofOptions {
  userId: string;
  connectionId: string;
  onVerdict(verdict: Verdict): void;
  signal?: AbortSignal;
  /** For tests, which move their clock. */
  pause?(ms: number): Promise<void>;
}

/**
 * Tries everything that the network supports with a real connection, deletes what it published, and reports what works.
 */
export async function runProof(core: Core, options: ProofOptions): Promise<Transcript> {
  const { userId, connectionId, onVerdict, signal = new AbortController().signal } = options;
  const connection = await findConnection(core.db, connectionId);
  const platform: Platform | null = connection && platformFor(connection.platform);
  if (!connection || !platform) throw new AdminError('This connection does not exist, or it cannot be posted to.');
  const recording = recorder(core.platformAccess, core.sandboxUrl, secretsFor(core, platform, connection));
  const app = withBatchedWrites({ ...core, platformAccess: recording.access });
  await using lane = await claimLane(app, { connectionId, platform: platform.id, userId });
  const proof: Proof = {
    app,
    who: await whoIs(core.db, userId),
    platform,
    connection,
    lane,
    recorder: recording,
    label: randomBytes(3).toString('hex'),
    published: new Map(),
    made: [],
    signal,
    pause: options.pause ?? ((ms) => sleep(ms, undefined, { signal })),
  };
  const verdicts: Verdict[] = [];
  const decide = async (check: string, run: () => Promise<string>) => {
    recording.begin(check);
    const verdict = { check, ...(await outcomeOf(run)) };
    verdicts.push(verdict);
    onVerdict(verdict);
  };
  for (const { name, run } of checks) await decide(name, () => run(proof));
  // Replies are deleted before the post they reply to.
  for (const one of proof.made.toReversed()) await decide(`delete ${one.name}`, () => deleteMade(proof, one));
  const mode = core.sandboxUrl === null ? ('live' as const) : ('sandbox' as const);
  const at = core.clock.now().toISOString();
  return { network: platform.id, mode, version, at, verdicts, exchanges: recording.exchanges };
}

async function outcomeOf(run: () => Promise<string>): Promise<Omit<Verdict, 'check'>> {
  try {
    return { outcome: 'proven', detail: await run() };
  } catch (error) {
    if (error instanceof NotOffered) return { outcome: 'not offered', detail: error.message };
    return { outcome: 'failed', detail: errorMessage(error) };
  }
}

function secretsFor({ sealingKeys, platformAccess }: Core, platform: Platform, connection: StoredConnection): string[] {
  const application = platformAccess.applications[platform.id];
  const credentials = credentialsOf({ sealingKeys }, platform, connection);
  return [...secretsOf(platform.credentials, credentials), ...(application ? [application.secret] : [])];
}
