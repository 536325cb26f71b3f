import type { FastifyRequest } from 'fastify';
import { plans } from '../../config/plans.ts';
import { Problem } from '../../foundation/errors/index.ts';

/** Statistics are part of some plans only. A hook, because the plan is checked before the body. */
export async function requireAnalytics({ who }: Pick<FastifyRequest, 'who'>) {
  if (!plans[who.plan].features.analytics) throw new Problem('analytics_plan_required');
}
