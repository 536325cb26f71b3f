export const planKeys = ['starter', 'pro', 'pro_legacy', 'premium_legacy', 'agency'] as const;
export type PlanKey = (typeof planKeys)[number];

export const freePlan: PlanKey = 'starter';

/** The limits of an account. `null` means unlimited; a connection count of `null` follows the purchased quantity. */
export interface Plan {
  /** The name it was sold under. A legacy plan shares its name with the current one; the key differs. */
  readonly name: string;
  readonly monthlyPosts: { readonly limit: number | null; readonly scope: 'account' | 'connection' };
  readonly connections: number | null;
  readonly scheduledPosts: number | null;
  readonly horizonDays: number | null;
  /** Checked when a post is scheduled or published, not at upload. */
  readonly maxVideoBytes: number | null;
  readonly quotas: Quotas;
  /** The owner of the account can set up a workspace. On other plans, the operator can. */
  readonly hasWorkspace: boolean;
  /** Platforms that the plan does not include. */
  readonly excludedPlatforms: readonly string[];
  readonly features: Readonly<Record<Feature, boolean>>;
}
export type Feature = 'publishing' | 'apiAccess' | 'mcpAccess' | 'analytics' | 'mentionables';

const mb = 1_048_576;

/** How much an owner and its managed users may store together. Stored objects stay until they are deleted. */
export interface Quotas {
  readonly drafts: number;
  /** Upload URLs whose file has not been uploaded and checked yet. */
  readonly uploads: number;
  /** Total size of uploaded files. */
  readonly bytes: number;
  readonly webhooks: number;
}

const quotas = (factor: number): Quotas => ({
  drafts: factor * 500,
  uploads: factor * 200,
  bytes: factor * 10 * 1024 * mb,
  webhooks: factor * 10,
});

const everything = { publishing: true, apiAccess: true, mcpAccess: true, analytics: true, mentionables: true };

/** Plans are data: to add one, add a line here. */
export const plans: Readonly<Record<PlanKey, Plan>> = {
  starter: {
    name: 'Starter',
    monthlyPosts: { limit: 15, scope: 'account' },
    connections: 3,
    scheduledPosts: 3,
    horizonDays: 7,
    maxVideoBytes: 50 * mb,
    quotas: quotas(1),
    hasWorkspace: false,
    excludedPlatforms: ['twitter'],
    features: { ...everything, analytics: false, mentionables: false },
  },
  pro: {
    name: 'Pro',
    monthlyPosts: { limit: 5000, scope: 'connection' },
    connections: null,
    scheduledPosts: null,
    horizonDays: null,
    maxVideoBytes: 250 * mb,
    quotas: quotas(10),
    hasWorkspace: false,
    excludedPlatforms: [],
    features: everything,
  },
  pro_legacy: {
    name: 'Pro',
    monthlyPosts: { limit: 100, scope: 'connection' },
    connections: null,
    scheduledPosts: 100,
    horizonDays: null,
    maxVideoBytes: 250 * mb,
    quotas: quotas(10),
    hasWorkspace: false,
    excludedPlatforms: [],
    features: everything,
  },
  premium_legacy: {
    name: 'Premium',
    monthlyPosts: { limit: 500, scope: 'connection' },
    connections: null,
    scheduledPosts: 500,
    horizonDays: null,
    maxVideoBytes: 250 * mb,
    quotas: quotas(10),
    hasWorkspace: false,
    excludedPlatforms: [],
    features: everything,
  },
  agency: {
    name: 'Agency',
    monthlyPosts: { limit: null, scope: 'account' },
    connections: null,
    scheduledPosts: null,
    horizonDays: null,
    maxVideoBytes: null,
    quotas: quotas(50),
    hasWorkspace: true,
    excludedPlatforms: [],
    features: everything,
  },
};
