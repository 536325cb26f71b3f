/** A version of a network's API, and the vendor's announcement of its end. */
export interface ApiVersion {
  /** The display name. */
  readonly name: string;
  readonly version: string;
  /** The day the vendor retires it. Null: no day is announced. */
  readonly endsOn: string | null;
  /** The vendor's announcement. All were read on 2026-11-16. */
  readonly source: string;
}

/**
 * The only place that names the API versions that adapters call. Self-hosted servers and APIs without versions have
 * none.
 */
export const apiVersions = {
  twitter: { name: 'X', version: '2', endsOn: null, source: 'https://docs.x.com/changelog' },
  facebook: {
    name: 'Facebook',
    version: 'v26.0',
    endsOn: null,
    source: 'https://developers.facebook.com/docs/graph-api/changelog',
  },
  instagram: {
    name: 'Instagram',
    version: 'v25.0',
    endsOn: '2028-07-29',
    source: 'https://developers.facebook.com/docs/graph-api/changelog',
  },
  threads: {
    name: 'Threads',
    version: 'v1.0',
    endsOn: null,
    source: 'https://developers.facebook.com/docs/threads/changelog',
  },
  linkedin: {
    name: 'LinkedIn',
    version: '202609',
    endsOn: '2027-09-15',
    source: 'https://learn.microsoft.com/en-us/linkedin/marketing/versioning',
  },
  youtube: {
    name: 'YouTube',
    version: 'v3',
    endsOn: null,
    source: 'https://developers.google.com/youtube/v3/revision_history',
  },
  tiktok: { name: 'TikTok', version: 'v2', endsOn: null, source: 'https://developers.tiktok.com/doc/changelog' },
  pinterest: { name: 'Pinterest', version: 'v5', endsOn: null, source: 'https://developers.pinterest.com/docs/api/v5' },
} as const satisfies Record<string, ApiVersion>;

const dayMs = 86_400_000;
const warnedDays = 60;

/** Warnings for the operator about versions that end soon. `options` may set another version for a platform. */
export function versionWarnings(now: Date, options: Options = {}): string[] {
  return Object.entries(apiVersions).flatMap(([platform, own]: [string, ApiVersion]) => {
    const configured = options[platform]?.VERSION;
    const used = configured === undefined ? own : { ...own, version: configured, endsOn: endOf(configured) };
    return warningFor(used, now) ?? [];
  });
}

type Options = Readonly<Partial<Record<string, Readonly<Partial<Record<string, string>>>>>>;

/** LinkedIn names versions after their month and retires each a year later, around the middle of the month. */
const endOf = (version: string) => `${Number(version.slice(0, 4)) + 1}-${version.slice(4)}-15`;

function warningFor({ name, version, endsOn, source }: ApiVersion, now: Date): string | null {
  if (endsOn === null) return null;
  const days = Math.ceil((Date.parse(endsOn) - now.getTime()) / dayMs);
  if (days > warnedDays) return null;
  const what =
    days > 0
      ? `${name} retires version ${version} of its API on ${endsOn}, in ${days} ${days === 1 ? 'day' : 'days'}.`
      : `${name} retired version ${version} of its API on ${endsOn}, so posts there may fail.`;
  return `${what} Update Crier, or its setting for the version if it has one. See ${source}.`;
}
