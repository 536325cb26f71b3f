import type { AccountContext } from '@crier/client';
import { count } from '../../../lib/posts/post-summary.ts';

/** The usage of one limit. */
export interface Meter {
  name: string;
  /** What happens at the limit, and how to make room. */
  atLimit: string;
  /** `12 of 15`, `12, no limit`. */
  text: string;
  /** Between 0 and 100. Null: there is no limit. */
  percent: number | null;
  /** When the limit resets. Null: never. */
  resetAt: string | null;
  /** Whether the users of a workspace share the limit. */
  isShared: boolean;
  /** For limits that apply per channel. */
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
    meter('Scheduled posts', scheduledPosts, 'you can’t schedule more posts until one is published or deleted.'),
    meter('Channels', connections, 'you can’t connect more channels. Above it, you can’t schedule or publish.'),
    meter('Drafts', drafts, 'you can’t save more drafts. Schedule, publish or delete drafts to make room.'),
    meter('Storage', storage, 'you can’t upload more files. Delete files you no longer need to make room.', bytes),
    meter(
      'Uploads in progress',
      uploads,
      'you can’t start another upload until one finishes. Unfinished uploads expire.',
    ),
    meter('Webhooks', webhooks, 'you can’t create more webhooks until you delete one.'),
  ];
}

/** `7 days ahead`. */
export const horizonText = ({ limit }: Quotas['scheduleHorizon']): string =>
  limit === null ? 'No limit' : `Up to ${count(limit, 'day')} ahead`;

interface Used {
  used: number;
  limit: number | null;
  usageScope: 'account' | 'workspace';
}

function meter(name: string, quota: Used, consequence: string, format = plain): Meter {
  return {
    name,
    atLimit: quota.limit === null ? 'Your plan has no limit.' : `At the limit, ${consequence}`,
    ...share(quota, format),
    resetAt: null,
    isShared: quota.usageScope === 'workspace',
    parts: [],
  };
}

function monthlyMeter(quota: Quotas['monthlyPosts']): Meter {
  const whole = meter(
    'Posts this month',
    quota,
    'you can’t schedule or publish more posts. You can still save drafts.',
  );
  const { resetAt } = quota;
  if (quota.scope === 'account' || quota.limit === null) return { ...whole, resetAt };
  return {
    ...whole,
    resetAt,
    text: `${plain(quota.used)}, up to ${plain(quota.limit)} per channel`,
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

/** `1.5 GB`, in the same units as the API's errors. */
export function bytes(number: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [number, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[unit]}`;
}
