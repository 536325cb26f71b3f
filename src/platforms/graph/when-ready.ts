import type { Json } from '../../lib/json.ts';
import type { PublishContext } from '../kit/index.ts';
import { asksFor } from './failure.ts';

/** Does the work as soon as the network is done with what it needs, unless that takes forever. */
export function whenReady<T extends Json>(
  work: () => Promise<T>,
  since: number,
  ctx: Pick<PublishContext<unknown>, 'until' | 'now'>,
  { processingDeadlineMs, secondsBetweenLooks }: { processingDeadlineMs: number; secondsBetweenLooks: number },
): Promise<T> {
  const isWorthWaiting = (error: unknown) =>
    asksFor('wait', error) && ctx.now().getTime() - since <= processingDeadlineMs;
  const attempt = () => work().catch((error) => (isWorthWaiting(error) ? null : Promise.reject(error)));
  return ctx.until(attempt, secondsBetweenLooks);
}
