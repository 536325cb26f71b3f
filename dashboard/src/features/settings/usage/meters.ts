import type { AccountContext } from '@crier/client';
import { count } from '../../../lib/post-summary.ts';

/** How much of one limit is used. */
export interface Meter {
  name: string;
  /** What happens at the limit, and what makes room again. */
  atLimit: string;
  /** `12 of 15`, `12, no limit`. */
  text: string;
  /** Between 0 and 100. Null: there is no limit. */
  percent: number | null;
  /** When the count begins again. Null: it never does. */
  resetAt: string | null;
  /** The users of a workspace share the limit. */
  isShared: boolean;
  /** Where the limit applies to each channel. */
  parts: readonly MeterPart[];
}

export interface MeterPart {
  platformId: string;
  text: string;
  percent: number | null;
}

type Quotas = AccountContext['quotas'];

export function metersOf(quotas: Quotas): Meter[] {
  const { monthlyPosts, scheduledPosts, connections, drafts, uploads, storage, webhooks } = quotas;
  return [
    monthlyMeter(monthlyPosts),
    meter('Scheduled posts', scheduledPosts, 'no further post can be scheduled until one is published or deleted.'),
    meter(
      'Channels',
      connections,
      'no further channel can be connected. Above it, nothing can be scheduled or published.',
    ),
    meter('Drafts', drafts, 'no further draft can be saved. Schedule, publish or delete drafts to make room.'),
    meter('Storage', storage, 'further files are refused. Delete files that you no longer need to make room.', bytes),
    meter('Open uploads', uploads, 'no further upload can begin until one is finished. Unfinished uploads expire.'),
    meter('Webhooks', webhooks, 'no further webhook can be created until one is deleted.'),
  ];
}

/** `7 days ahead`. */
export const horizonText = ({ limit }: Quotas['scheduleHorizon']): string =>
  limit === null ? 'As far ahead as you like' : `Up to ${count(limit, 'day')} ahead`;

interface Used {
  used: number;
  limit: number | null;
  usageScope: 'account' | 'workspace';
}

function meter(name: string, quota: Used, consequence: string, format = plain): Meter {
  return {
    name,
    atLimit: quota.limit === null ? 'Your plan has no limit here.' : `At the limit, ${consequence}`,
    ...share(quota, format),
    resetAt: null,
    isShared: quota.usageScope === 'workspace',
    parts: [],
  };
}

function monthlyMeter(quota: Quotas['monthlyPosts']): Meter {
  const whole = meter('Posts this month', quota, 'nothing more can be scheduled or published. Drafts can be saved.');
  const { resetAt } = quota;
  if (quota.scope === 'account' || quota.limit === null) return { ...whole, resetAt };
  return {
    ...whole,
    resetAt,
    text: `${plain(quota.used)}, at most ${plain(quota.limit)} for each channel`,
    percent: null,
    parts: quota.connections.map((part) => ({ platformId: part.platformSelection, ...share(part, plain) })),
  };
}

function share({ used, limit }: Pick<Used, 'used' | 'limit'>, format: (number: number) => string) {
  if (limit === null) return { text: `${format(used)}, no limit`, percent: null };
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return { text: `${format(used)} of ${format(limit)}`, percent };
}

const plain = (number: number) => number.toLocaleString('en');

/** `1.5 GB`, as the errors of the API count them. */
export function bytes(number: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [number, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[unit]}`;
}
