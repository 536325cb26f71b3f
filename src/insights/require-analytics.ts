import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import { plans } from '../lib/plans.ts';

/** Statistics are part of some plans only. */
export function requireAnalytics({ plan }: Pick<Who, 'plan'>) {
  if (!plans[plan].features.analytics) throw new Problem('analytics_plan_required');
}
