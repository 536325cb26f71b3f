import { findConnection, withContext } from '../../../features/connections/connections.ts';
import { type Context, PlatformError, type Removal } from '../../../platforms/kit/index.ts';
import { AdminError, errorMessage } from '../error-message.ts';
import { type Made, NotOffered, type Proof } from './proof.ts';

/** Deletes something that the proof has published. If it stays, reports the reason and its URL. */
export async function deleteMade(proof: Proof, made: Made): Promise<string> {
  const { platform } = proof;
  const { name, remove } = platform;
  if (!remove) throw new NotOffered(leftInPlace(proof, made, `Crier cannot delete posts on ${name}`));
  const { id } = made;
  if (id === null) throw new NotOffered(leftInPlace(proof, made, `Crier does not know its id on ${name}`));
  const outcome = await untilAnswered(proof, (ctx) => remove.call(platform, id, ctx)).catch((error: unknown) => {
    throw new AdminError(leftInPlace(proof, made, errorMessage(error)));
  });
  if (!outcome.isGone) throw new NotOffered(leftInPlace(proof, made, outcome.why));
  return 'deleted';
}

function leftInPlace({ connection }: Proof, { url }: Made, why: string): string {
  const where = url ?? connection.profileUrl ?? `the account ${connection.handle || connection.displayName}`;
  return `left in place: ${why.replace(/[.\s]+$/, '')}, delete it by hand: ${where}`;
}

const maxTries = 3;
const pauseMs = 2_000;
const maxWaitSeconds = 60;

type Deletion = (ctx: Context<never>) => Promise<Removal>;

/** A deletion is safe to repeat, so retry it if there was no response. */
async function untilAnswered(proof: Proof, deletion: Deletion): Promise<Removal> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await asAccount(proof, deletion);
    } catch (error) {
      const wait = error instanceof PlatformError ? waitAfter(error) : null;
      if (wait === null || tries === maxTries) throw error;
      await proof.pause(wait);
    }
  }
}

async function asAccount({ app, platform, connection, signal }: Proof, deletion: Deletion): Promise<Removal> {
  // The credentials may have been renewed since the proof began.
  const current = await findConnection(app.db, connection.id);
  if (!current) throw new AdminError('the account was disconnected during the proof');
  return withContext(app, platform, current, signal, deletion);
}

/** Null if a later attempt would get the same response, or would have to wait too long. */
function waitAfter({ kind, retryAfterSeconds }: PlatformError): number | null {
  if (kind === 'network' || kind === 'timeout' || kind === 'unavailable') return pauseMs;
  if (kind !== 'rate_limited' || retryAfterSeconds === null || retryAfterSeconds > maxWaitSeconds) return null;
  return retryAfterSeconds * 1000;
}
