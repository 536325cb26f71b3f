import type { PublishContext } from '../kit/index.ts';
import { isPassing } from './api.ts';

type Ctx = Pick<PublishContext<unknown>, 'step' | 'until' | 'now'>;
type Outcome = { isOver: boolean; at: number };

const tries = 3;
const pauseSeconds = 30;

/**
 * For what is done to a video that is published already: it never fails the post. After trouble that may pass it is tried
 * again, so `effect` has to bear repeats.
 */
export async function bestEffort(name: string, effect: () => Promise<void>, ctx: Ctx): Promise<void> {
  for (let time = 1; time <= tries; time += 1) {
    const { isOver, at } = await once(`${name} ${time}`, effect, ctx);
    if (isOver || time === tries) return;
    await ctx.until(async () => ctx.now().getTime() >= at + pauseSeconds * 1000 || null, pauseSeconds);
  }
}

async function once(step: string, effect: () => Promise<void>, ctx: Ctx): Promise<Outcome> {
  const outcome = (isOver: boolean): Outcome => ({ isOver, at: ctx.now().getTime() });
  const attempt = () =>
    effect().then(
      () => outcome(true),
      (error: unknown) => outcome(!isPassing(error)),
    );
  // Not even a step that cannot run, as when the engine only looks at what is there, takes anything from the video.
  return ctx.step(step, attempt, { replayable: true }).catch(() => outcome(true));
}
