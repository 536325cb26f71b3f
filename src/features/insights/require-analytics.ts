import type { FastifyRequest } from 'fastify';
import { plans } from '../../config/plans.ts';
import { Problem } from '../../foundation/errors/index.ts';

/** Only some plans include statistics. A hook, because the plan is checked before the body. */
export async function requireAnalytics({ who }: Pick<FastifyRequest, 'who'>) {
  if (!plans[who.plan].features.analytics) throw new Problem('analytics_plan_required');
}
