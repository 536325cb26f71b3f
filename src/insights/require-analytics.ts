import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { plans } from '../lib/plans.ts';

/** Statistics are part of some plans only. A hook, because the plan is checked before the body. */
export async function requireAnalytics({ who }: Pick<FastifyRequest, 'who'>) {
  if (!plans[who.plan].features.analytics) throw new Problem('analytics_plan_required');
}
