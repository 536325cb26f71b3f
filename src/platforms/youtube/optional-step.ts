import type { PublishContext } from '../kit/index.ts';
import { isTransient } from './failure.ts';

type Ctx = Pick<PublishContext<unknown>, 'step' | 'until' | 'now'>;
type Outcome = { isFinal: boolean; at: number };

const maxAttempts = 3;
const retrySeconds = 30;

/**
 * A step that adds something to a video that is already published: it never fails the post. It is retried after
 * transient failures, so repeating `effect` must be harmless.
 */
export async function optionalStep(name: string, effect: () => Promise<void>, ctx: Ctx): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const { isFinal, at } = await attemptOnce(`${name} ${attempt}`, effect, ctx);
    if (isFinal || attempt === maxAttempts) return;
    const msLeft = at + retrySeconds * 1000 - ctx.now().getTime();
    await ctx.until(async () => null, { seconds: retrySeconds, msLeft, late: () => true });
  }
}

async function attemptOnce(step: string, effect: () => Promise<void>, ctx: Ctx): Promise<Outcome> {
  const outcome = (isFinal: boolean): Outcome => ({ isFinal, at: ctx.now().getTime() });
  const attempt = () =>
    effect().then(
      () => outcome(true),
      (error: unknown) => outcome(!isTransient(error)),
    );
  // A step that cannot run, as when the engine only reconciles, does not fail the post either.
  return ctx.step(step, attempt, { replayable: true }).catch(() => outcome(true));
}
